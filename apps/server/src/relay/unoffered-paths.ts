import { RelayError } from "./relay-error.ts";

/**
 * What OpenAI's API has and the gateway does not: things that an account keeps and that would be everybody's here, jobs whose cost no answer
 * tells, and what is long gone. Source: https://platform.openai.com/docs/api-reference
 */
const UNOFFERED: readonly RegExp[] = [
  /^\/v1\/(?:assistants|threads|vector_stores|containers|conversations|chatkit|skills|prompts)(?:\/|$)/,
  /^\/v1\/(?:fine_tuning|fine-tunes|evals|graders|uploads|videos|batches|files)(?:\/|$)/,
  /^\/v1\/(?:edits|answers|search|classifications|organization|projects|realtime)(?:\/|$)/,
  /^\/v1\/(?:images|audio)\/(?:generations|edits|variations|speech|transcriptions|translations|voices|voice_consents)$/,
  /^\/v1\/(?:chat\/completions|completions|embeddings|moderations|responses|engines)(?:\/|$)/,
  /^\/v1\/messages\/batches(?:\/|$)/,
];

/** The refusal of a path or method that the gateway does not answer: 501 where the API has it, 404 where nobody does. */
export function refusalOfPath(method: string, path: string): RelayError {
  const isKnown = UNOFFERED.some((pattern) => pattern.test(path)) || (method === "DELETE" && isModel(path));
  if (!isKnown) {
    const message = `Unknown request URL: ${method} ${path}.`;
    return new RelayError({ status: 404, type: "invalid_request_error", code: "unknown_url", message });
  }
  return new RelayError({
    status: 501,
    type: "invalid_request_error",
    code: "api_not_implemented",
    message: `${method} ${path} is not offered by this gateway. GET /v1/models lists what you can call.`,
  });
}

const isModel = (path: string): boolean => /^\/v1\/models\/./.test(path);
