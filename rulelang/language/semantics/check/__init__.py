"""Check parsed rules against a model: names, types, hooks and patches. `program` is the way in."""
