"""The command line: it asks the library and prints what that answers; nothing calls it.

main: the program, its commands, its errors
options: the table of options; asked: their values, and the game that they describe
output: results, notes, errors, exit statuses
play, suggest, candidates, score, host, solve, explain, review, export: one command each
games: `games`, `check`, `init`
lab_run, lab_compare (with `plot`, `report`), lab_trees (`verify`, `book`): the commands of `lab`
"""
