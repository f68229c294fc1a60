"""The server: boards that teams edit in a browser, and that programs use over HTTP."""
