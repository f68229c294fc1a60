"""A team in a browser, and programs over HTTP.

- `server`: the running server and its application; `state`: what it holds.
- `connections`: visitors, and limits on connections; `guard`: checks before the routes;
  `http_errors`: errors as HTTP responses, and versions as HTTP headers.
- `board_folder`: all boards; `board`: a session file that a team edits; `journal`: who wrote which
  row when; `feed`: a board as everybody sees it now; `uploads`: uploaded game files.
- `snapshot`: one version of a board, and its answers; `workers`: the processes that compute them.
- `pages`: the pages, made with `templates` and `static`; `api`: the routes for programs, with their
  parameters and JSON in `models`.
- `remote`: a session on a server's board, for terminals, notebooks and programs.
"""
