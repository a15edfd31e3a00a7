"""What an injected text asks for, and whether later calls carried it out. `compliance.py` puts both together.

ask.py         the text as parts: the kind of act each names, and the values that belong to it
match.py       how far later calls carry the parts out
statements.py  whether an answer says what it was pressed to say
values.py      addresses, accounts, links, quotations, names, dates: in a text and in a call
words.py       verbs and objects of the declared tools
rules.json     the words and patterns, as data; rules.py makes them ready for use
"""
