"""Mistakes put into the shipped rulesets on purpose, and who catches them: `make mutation`."""
