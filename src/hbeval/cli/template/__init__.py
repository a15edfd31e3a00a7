"""What `hbeval init` writes: an agent, a domain with tools and tasks of its own, and a battery of them."""
