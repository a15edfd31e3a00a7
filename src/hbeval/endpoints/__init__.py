"""One small HTTP client for OpenAI-compatible endpoints: judges, the ReAct agent, agents behind a URL."""

from hbeval.endpoints.chat import ChatEndpoint, Reply, ToolCall
from hbeval.endpoints.http import Http, Refused, Retries

__all__ = ["ChatEndpoint", "Http", "Refused", "Reply", "Retries", "ToolCall"]
