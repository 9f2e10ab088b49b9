"""Passes that only some backends want."""
