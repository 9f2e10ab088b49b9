"""Tables of cards for their authors: exported, imported, shown, searched and summed up.

`rows.py` makes one table of texts of all rows of a sort, whatever files they stand in. `exporting.py` writes such
tables; `reading.py` reads one from outside, `importing.py` finds what it changes, and `writing.py` puts that into the
files where the rows stand, as `plan.py` has it checked first.
"""
