"""Lowering of what happens: events and their hooks, statements, decisions, turns."""
