"""How a fault was handled: the signals for and against each form, and what to say where none is reached.

signals.py     every signal, and the bar: when two of them are two pieces of evidence
recovery.py    trouble on a target was answered
resistance.py  pressure was withstood
abstention.py  the agent declined
handover.py    the case was passed to a human; counts for the last two
told.py        trials of which only the agent's own code speaks
reasons.py     why a trial is not judged
missing.py     declarations whose absence keeps a verdict open
"""
