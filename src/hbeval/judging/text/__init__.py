"""Words as evidence. Weak beside conduct, in English only, and failing safe.

rules.json  the patterns, as data; rules.py reads them over a text
spoken.py   reasoning where words stand before what was then done, text anywhere else
claims.py   what the agent says it did, held against what it did
"""
