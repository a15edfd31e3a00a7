"""One module per command, loaded only when its command is asked for."""
