"""`python -m puzzlehunt`."""

from puzzlehunt.cli import main

main()
