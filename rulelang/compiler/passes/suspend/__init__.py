"""Routines that wait: which they are, and their frames."""
