"""Lowering: the typed program of a ruleset and one table becomes a module of the IR (`table.py`).

What a check of a sound ruleset asks (`constant_invariants.py`, `program_graph.py`) needs no IR.
"""
