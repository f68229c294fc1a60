"""`python -m puzzlehunt`."""

from puzzlehunt.cli.main import main

main()
