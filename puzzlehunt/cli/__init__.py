"""The command line: options and commands. It calls everything and is called by nothing."""
