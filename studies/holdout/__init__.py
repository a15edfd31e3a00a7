"""The holdout set: domains, agents and the truth about their conduct, written apart from the judge."""
