"""Rulebooks, cards and reference sheets in print: documents made of a game, and the PDFs that typst makes of them.

`rulebook`, `deck` and `sheet` make documents, which are plain data; `pdf` in `typeset.py` prints any of them.
"""
