"""The command line: one file a command, each thin; what takes time to import is imported when a command runs."""
