"""The Python backend: `emit` turns a module of the IR into source, `link` turns the source into an engine program."""
