"""What of the rules has run: lines, and both ways of conditions."""
