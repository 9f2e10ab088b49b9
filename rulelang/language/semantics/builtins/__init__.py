"""What the language brings itself, each thing declared once: the checker, lowering and the reference read it here."""
