"""Passes from IR to IR, in the order of `pipeline`."""
