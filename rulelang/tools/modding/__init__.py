"""What mods do to a game, told to those who write and play them: their order, what they change, where they clash."""
