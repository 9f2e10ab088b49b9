"""Passes that leave less to do."""
