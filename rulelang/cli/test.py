"""later"""

import click


@click.command()
def test() -> None:
    """later"""
