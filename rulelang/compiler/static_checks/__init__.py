"""What is found out about a ruleset's tables before any game: invariants over what is printed."""
