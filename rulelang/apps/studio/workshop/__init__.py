"""The workshop's part of the server: what the page to write on asks for."""
