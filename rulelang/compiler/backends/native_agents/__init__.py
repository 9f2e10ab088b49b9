"""Agents inside of native libraries: what a seat may know (`secrets.h`, as `engine.secrets`), how agents search
(`search.c`, as `agents.search`), and what is noted of whole games (`tape.c`, as `engine.noting`): the same as those,
draw for draw. `linking` puts it behind the library of every game.
"""
