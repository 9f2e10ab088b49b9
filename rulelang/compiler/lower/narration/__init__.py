"""Put rules into English: nouns, conditions, questions and texts."""
