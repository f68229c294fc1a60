"""A team in a browser, and programs over HTTP.

- `server`: the running server and its application; `state`: what it holds.
- `connections`: visitors, and how many connections there may be; `guard`: what every request passes
  before the routes; `http_errors`: errors as HTTP answers them, and versions as its headers.
- `board_folder`: all boards; `board`: a session file that a team changes; `journal`: who
  wrote which row when; `feed`: a board as everybody sees it now; `uploads`: game files of others.
- `snapshot`: one version of a board, and its answers; `workers`: the processes that find them.
- `pages`: what a browser shows, made with `templates` and `static`; `api`: the routes of programs,
  whose parameters and JSON are in `models`.
- `remote`: a session on a server's board, for terminals, notebooks and programs.
"""
