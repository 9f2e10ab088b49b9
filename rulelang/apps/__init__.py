"""The programs that people start: command line, editor support, studio, terminal, laboratory, environments, printing, fuzzing."""
