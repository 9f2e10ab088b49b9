"""Tables on the server: games that people and bots play together, each seeing what it may.

`play.py` is a game with what may be taken back of it, `why.py` tells what forbids something, `room.py` who sits there
and when bots move, `store.py` keeps every decision, `hub.py` has all rooms, and `routes.py` is what browsers ask.
"""
