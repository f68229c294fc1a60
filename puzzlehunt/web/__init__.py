"""The server: boards that teams edit in a browser, and that programs use over HTTP.

- `server`: the running server and its application; `state`: its open boards and its workers.
- `connections`: visitors, and limits on connections; `guard`: checks before the routes;
  `http_errors`: errors as HTTP responses, and versions as HTTP headers.
- `store`: the file of boards, with the authors and times of rows; `board_folder`: all boards;
  `board`: a session that a team plays; `undoing`: undo of one's own steps; `feed`: the live state
  of a board; `presence`: who is here, and what they did; `uploads`: checks of uploaded game files.
- `snapshot`: one version of a board, and answers about it; `workers`: the processes that compute
  these answers.
- `pages`: a board's page; `home`: the home page; both are made with `templates`.
- `assets`: the files in `static`.
- `api`: the routes for programs, with their parameters and JSON in `models` and `schemas`.
- `remote`: a session on a server's board, for terminals, notebooks and programs.
"""
