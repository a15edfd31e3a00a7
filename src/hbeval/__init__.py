"""How does an AI agent behave when things break?"""

__version__ = "0.1.0"
