"""The server: boards that teams edit in a browser, and that programs use over HTTP.

- `server`: the running server and its application.
- `guard`: what is refused before the routes and in them, and how; versions as HTTP headers.
- `store`: the file of all boards; `board`: a session that a team plays, the authors of its rows,
  and undo of one's own steps; `live`: the open boards, what their pages show, and who is here;
  `uploads`: checks of uploaded game files.
- `snapshot`: one version of a board, and answers about it; `workers`: the processes that compute
  these answers.
- `pages`: the pages, made with `templates`, and the files in `static`.
- `api`: the routes of programs, and of what pages change.
- `remote`: a session on a server's board, for terminals, notebooks and programs.
"""
