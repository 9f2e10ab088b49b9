"""Export a table of a game for browsers and Node: the C text as WebAssembly, its data as JSON, and a small wrapper."""
