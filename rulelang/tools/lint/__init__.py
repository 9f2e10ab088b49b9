"""Lint: advice about likely mistakes in rulesets in which `check` finds no errors.

Each module of `rules/` holds the rules of one topic, each with its page, a bad and a good example, and a fix if one is
safe. `run.py` has the table of all rules, and runs them.
"""
