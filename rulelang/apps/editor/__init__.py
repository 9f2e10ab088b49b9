"""What editors want to know of a game.

`json_schemas.py` makes the schemas by which an editor of YAML completes and checks the files of one game.
"""
