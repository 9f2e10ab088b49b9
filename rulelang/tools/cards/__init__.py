"""Card tables for authors: export, import, review and summarize the cards of a game.

`tables.py` makes one table of texts of all rows of a card type, exports it and reads other tables. `changes.py`
compares such a table with the game, `plan_import.py` checks the result, and `writing.py` writes it into the files of
the game. `review.py` summarizes columns and warns about likely mistakes.
"""
