"""Playing and watching games in a terminal, with nothing known of any particular game."""
