"""later"""
import click
@click.command()
def play() -> None:
    """later"""
