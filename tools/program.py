"""What the program without Python runs; tools/program.spec makes it."""

from multiprocessing import freeze_support

from puzzlehunt.cli.main import main

if __name__ == "__main__":
    freeze_support()  # the workers of `serve` are this program, too
    main()
