"""Whole small rulesets as they come, so that the compiler is tested and not only the games."""
