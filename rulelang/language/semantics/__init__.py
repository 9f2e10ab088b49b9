"""From declarations and rules to a model and typed trees: `declare` reads the data, `check` the rules."""
