"""A reference interpreter of the typed tree: the language definition, made executable, plain and slow."""
