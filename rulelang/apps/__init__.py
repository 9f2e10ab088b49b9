"""The programs that people start: command line, editor support, studio, terminal, lab, printing, fuzzing."""
