"""Read the rules language: its syntax, its names and types, and the typed tree."""
