"""What was found in games, as other programs want to read it: build servers, editors, review pages.

`records.py` is what is reported; each format is one module with one function from a `Report` to a text, and
`formats.py` is the table of them.
"""
