"""What translators need: the texts of a game, of a mod, or of the program itself; their catalogues, made and checked.

- `texts`: `texts_of`, everything that a game says to players, with its places; `own_texts`, what the program says.
- `catalogue`: `Work`, the catalogue of one language beside the texts it is for; `extract` writes it anew.
- `checking`: what is missing, left over, or told otherwise than in English, as diagnostics.
- `counting`: how much is done.
"""
