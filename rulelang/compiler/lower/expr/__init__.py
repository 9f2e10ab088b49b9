"""Lowering of expressions: pure functions of the IR."""
