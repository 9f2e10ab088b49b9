"""What is allowed and still looks like a slip: advice on rulesets that `check` finds nothing wrong with.

Each rule is a file of `rules/` with its page, a bad and a good example, and a fix where one is safe. `registry.py` is
the table of them, `run.py` runs them.
"""
