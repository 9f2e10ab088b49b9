"""Scaffolding: the first files of rulesets, mods, traits and scenarios."""
