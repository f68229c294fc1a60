"""What keeps a text from being YAML, in words for somebody who wrote a game file."""

import re

import yaml

TOO_DEEP = "nested too deeply"
"""What is wrong with a text of more levels than a game file, or YAML's own parser, takes."""
_OPENING = "{["
"""Signs that begin a list or mapping on one line."""
_AFTER_A_LIST = ("expected ','", "expected '-'", "expected key", "block end")
"""What YAML expects where a list has ended, and does not find."""
_QUOTES = "put a text that holds such a sign between quotes"


def error_line(error: yaml.MarkedYAMLError) -> int | None:
    """Return the number (from 1) of the line that an error is about, None where it names none."""
    mark = error.problem_mark or error.context_mark
    return mark.line + 1 if mark else None


def explanation(error: yaml.MarkedYAMLError, text: str) -> str:
    """Return what is wrong with a text that YAML refused, and what would be right."""
    number = error_line(error)
    lines = [*text.split("\n"), ""]
    line = lines[min(number or 1, len(lines)) - 1]
    problem = error.problem or ""
    if "\t" in line and ("tab" in problem or "start any token" in problem):
        return "a tab stands where the line is indented; indent with blanks"
    if "start any token" in problem and error.problem_mark is not None:
        sign = line[error.problem_mark.column :][:1]
        return f"no text begins with {sign}; put it between quotes"
    if any(sign in problem for sign in _AFTER_A_LIST) and error.problem_mark is not None:
        before = line[: error.problem_mark.column].rstrip()
        if before.endswith(('"', "'")):
            return "a text goes on behind its closing quote; put all of it between quotes"
    if any(sign in problem for sign in _AFTER_A_LIST) and (quoted := _needs_quotes(line)):
        return f"a text with brackets needs quotes: {quoted}"
    if "expected ':'" in problem and error.context_mark is not None:
        line = lines[error.context_mark.line]
        return _stuck(line) or f"line {error.context_mark.line + 1} is no `key: value`"
    if "mapping values" in problem:
        return _colon(line, lines[max(0, (number or 1) - 2)])
    if "end of stream" in problem and error.context_mark is not None:
        return f"the quote that opens in line {error.context_mark.line + 1} is never closed"
    if "expected ',' or" in problem and error.context_mark is not None:
        return _unclosed(lines, error.context_mark)
    if "expected key" in problem or "block entry" in problem:
        return "this line is not indented like the lines that it belongs to"
    if "comment or line break" in problem:
        return f"> and | mean something else in YAML; {_QUOTES}"
    if "node content" in problem:
        return (
            "a value is missing, a bracket is not closed, or a sign such as # or ? begins a text; "
            f"{_QUOTES}"
        )
    if "alphabetic or numeric" in problem:
        return f"* and & mean something else in YAML; {_QUOTES}"
    if "not allowed in this context" in problem:
        return "a list with dashes begins on the line below its key"
    if "nesting depth" in problem:
        return TOO_DEEP
    if "another document" in problem:
        return "a second document begins here; a game file is one, without ---"
    return f"not YAML: {problem or error.context}"


_VALUE = re.compile(r"\s*(?:- +)?(?:[\w.]+: +)?(?P<value>.*?)\s*")
"""A line, with what stands in it behind a dash and a key."""
_BRACKETED = re.compile(r"""[^][{},"'#]*\[[^][{}"'#]*\][^][{},"'#]*""")
"""A text that holds brackets, between the commas of a list on one line."""
_STUCK = re.compile(r"\s*(?:- +)?(?P<key>\w+)(?::(?=[^\s:])|\uff1a\s*)(?P<value>.+)")
"""A key and its value with no blank between, or with a wide colon."""


def _needs_quotes(line: str) -> str:
    """Return a text of a line whose brackets YAML takes for a list's, in quotes; "" for none.

    `- [123]___` and `facts: [[AB]__, no C]` have such texts.
    """
    match = _VALUE.fullmatch(line)
    value = match["value"] if match else ""
    if not value.startswith("["):
        return ""
    inside = _BRACKETED.search(value, 1)
    text = inside[0] if inside else value
    is_list = text.endswith("]") and text is value
    return "" if is_list or '"' in text else f'"{text.strip()}"'


def _stuck(line: str) -> str:
    """Return what is wrong with a line whose key has no colon and blank behind it; "" for none."""
    stuck = _STUCK.fullmatch(line)
    if not stuck:
        return ""
    written = f"{stuck['key']}: {stuck['value']}"
    return f"a colon with a blank has to stand behind {stuck['key']}: write `{written}`"


def _colon(line: str, before: str) -> str:
    """Return what is wrong with a line that has a colon where no key can end.

    `before` is the line above it.
    """
    if stuck := _stuck(line) or _stuck(before):
        return stuck
    key, _, value = line.strip().partition(": ")
    if ": " in value or value.endswith(":"):
        return (
            f"a second colon stands after {key}: put a text with a colon between quotes, and a key "
            "on a line of its own"
        )
    return (
        "a key stands where none can; the line above lacks its colon, or this one is indented too "
        "far"
    )


def _unclosed(lines: list[str], opened: yaml.Mark) -> str:
    """Return what is wrong within a list or mapping on one line that was opened at a mark."""
    sign = lines[opened.line][opened.column :][:1]
    which = f"the {sign}" if sign in _OPENING else "the list or mapping"
    return (
        f"{which} of line {opened.line + 1} is not closed, or a comma is missing, or a text with "
        "brackets needs quotes"
    )
