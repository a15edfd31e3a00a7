"""One module per agent framework, trace format or telemetry source."""
