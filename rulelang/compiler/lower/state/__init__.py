"""Lowering of what the state holds: addresses, zones, things, masks of traits."""
