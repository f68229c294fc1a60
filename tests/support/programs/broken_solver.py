"""A program that begins as a solver does, and then fails in one of many ways."""

import os
import signal
import subprocess
import sys
import time

fault, pids = sys.argv[1:]


def say(text):
    print(text, flush=True)


def remember(pid):
    with open(pids, "a") as file:
        file.write(f"{pid}\n")


remember(os.getpid())
if os.path.exists(f"{pids}.mended"):
    healthy = open(f"{pids}.mended").read().split()
    os.execv(healthy[0], [*healthy, "-"])
if fault == "dies at once":
    sys.exit("no licence")
if fault == "hangs at once":
    time.sleep(1000)
names = []
for line in sys.stdin:
    if line.startswith("(declare-fun"):
        names.append(line.split()[1])
    elif line.startswith("(echo"):
        say(line.split()[1].rstrip(")"))
    elif fault == "knows no command" and line.startswith("(set-logic"):
        say('(error "line 4: unknown logic")')
    elif line.startswith("(get-value"):
        if fault == "has no model":
            say('(error "there is no model")')
        elif fault == "answers half a model":
            say("((p1_R true) (p1_G false))")
        elif fault == "answers RGYO to everything":
            true = [n for n in names if n in ("p1_R", "p2_G", "p3_Y", "p4_O") or "item" in n]
            say("(" + "".join(f"({n} {str(n in true).lower()})\n" for n in names) + ")")
        else:
            true = [n for n in names if n.startswith(("item", "sums")) or n.endswith(fault[-1])]
            say("(" + "".join(f"({n} {str(n in true).lower()})\n" for n in names) + ")")
    elif line.startswith("(check-sat"):
        if fault == "answers unknown":
            say("unknown")
        elif fault == "dies in the middle":
            sys.exit("Traceback (most recent call last):\n  File\nMemoryError: too much")
        elif fault == "hangs":
            time.sleep(1000)
        elif fault == "mutters and hangs":
            say("thinking about it")
            time.sleep(1000)
        elif fault == "ignores SIGTERM":
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            remember(subprocess.Popen(["sleep", "1000"], stdout=subprocess.DEVNULL).pid)
            while True:
                time.sleep(1000)
        elif fault == "prints garbage":
            say("segmentation fault (core dumped)" + 200 * "!")
        elif fault == "hangs and floods stderr":
            while True:
                sys.stderr.write(9_999 * "lala\n")
        elif fault == "says unsat to everything":
            say("unsat")
        elif fault == "closes stdout":
            os.close(1)
            time.sleep(1000)
        elif fault == "answers twice":
            say("sat\nunsat")
        else:
            say("sat")
