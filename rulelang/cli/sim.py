"""later"""
import click
@click.command()
def sim() -> None:
    """later"""
