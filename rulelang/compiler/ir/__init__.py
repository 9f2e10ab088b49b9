"""The intermediate representation: its nodes, walking over them, printing them, and whether they are well formed."""
