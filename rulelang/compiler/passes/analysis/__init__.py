"""What passes ask before they change anything."""
