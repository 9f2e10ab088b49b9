"""`python -m rulelang` is the command line."""

from rulelang.apps.cli.main import main

if __name__ == "__main__":
    main()
