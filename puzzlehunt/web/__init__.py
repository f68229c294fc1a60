"""A team in a browser, and programs over HTTP.

- `server`: the running server; `app`: its routes and errors; `state`: what it holds.
- `connections`: how many there may be, and how long each may take; `visitors`: who counts as one.
- `guard`: what stands before every route; `refusals`: what is answered instead of an answer.
- `folder`: the boards that there are; `boards`: session files that a team changes; `journal`: who
  wrote which row when; `live`: a board as everybody sees it now; `uploads`: game files from others.
- `workers`: processes that answer `questions` about one version of a board; `preload`: what they
  load.
- `pages`: what a browser shows, made with `templates` and `static`; `api`: what programs ask, made
  of `api_parts`, whose JSON is in `models`; `etags`: versions as HTTP writes them.
- `client`: a session on a board that a server keeps, for terminals, notebooks and programs;
  `connection`: its requests.
"""
