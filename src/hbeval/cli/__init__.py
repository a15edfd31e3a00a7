"""The command `hbeval`. Here and in the server parts are wired together, nowhere else."""
