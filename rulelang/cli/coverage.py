"""later"""

import click


@click.command()
def coverage() -> None:
    """later"""
