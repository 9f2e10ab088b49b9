"""Describe a table to people: a view model for pages, and text for terminals."""
