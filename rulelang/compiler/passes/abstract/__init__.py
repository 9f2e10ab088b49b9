"""What words and locals can ever hold: the whole program run on intervals, and states from outside held against it."""
