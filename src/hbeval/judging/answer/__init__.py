"""What the final answer gives, and where that comes from.

given.py        its texts, its structure, and which turn it is part of
figures.py      numbers, dates, times and identifiers as they stand in texts and JSON values
sources.py      what the record gave the agent to know, and whether a figure comes from there
fabrication.py  the verdict: a figure that nothing in the record gave
"""
