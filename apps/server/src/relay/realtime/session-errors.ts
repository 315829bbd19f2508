import { RelayError } from "../errors/index.ts";

export function draining(): RelayError {
  const message = "The gateway is stopping. Try again in a moment.";
  return new RelayError({ status: 503, code: "unavailable", message, retryAfterSeconds: 2 });
}

export function stopping(): RelayError {
  return new RelayError({
    status: 503,
    code: "gateway_stopped",
    message: "The gateway is stopping. Open the session again in a moment.",
    retryAfterSeconds: 2,
  });
}

export function unjudged(): RelayError {
  return new RelayError({
    status: 403,
    type: "invalid_request_error",
    code: "not_moderated",
    message: "This API key has its prompts moderated, which cannot be done with speech. Use another key for sessions.",
  });
}

export function idle(): RelayError {
  const message = "Nothing was said in this session for a long time, so it ends. Open another one.";
  return new RelayError({ status: 408, type: "invalid_request_error", code: "session_idle", message });
}

export function tooMany(most: number): RelayError {
  const message = `A session answers ${most} times at once at the most. Wait for response.done.`;
  return new RelayError({ status: 429, type: "requests", code: "rate_limit_exceeded", message });
}

export function notSetUp(reason: "late" | "large", mostBytes: number): RelayError {
  const isLarge = reason === "large";
  const message = isLarge
    ? `setup has more than ${mostBytes} bytes. Shorten systemInstruction or tools.`
    : 'The session was not set up in time. Send {"setup": {"model": "models/…"}} as the first message.';
  return new RelayError({
    status: isLarge ? 413 : 408,
    type: "invalid_request_error",
    code: isLarge ? "request_too_large" : "session_idle",
    param: "setup",
    message,
  });
}
