"""The command line: one file for each topic. Commands are thin, and import late what takes time."""
