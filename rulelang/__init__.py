"""rulelang: a rules language for card and board games."""
