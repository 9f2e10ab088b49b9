"""Experiments with games: many of them, by many processes, between agents by name."""
