/** An error body as OpenAI sends it: `{ "error": { message, type, param, code } }`. */
export interface OpenAiErrorBody {
  error: { message: string; type: string; param: string | null; code: string | null };
}

/** The body for a message; the type defaults to `invalid_request_error`, param and code to null. */
export function openAiErrorBody(
  message: string,
  details: { type?: string; param?: string; code?: string } = {},
): OpenAiErrorBody {
  const { type = "invalid_request_error", param = null, code = null } = details;
  return { error: { message, type, param, code } };
}

/** A request that the API refuses: the status and the body to answer with. */
export class RequestRefused extends Error {
  override name = "RequestRefused";
  readonly status: number;
  readonly body: OpenAiErrorBody;

  constructor(status: number, body: OpenAiErrorBody) {
    super(body.error.message);
    this.status = status;
    this.body = body;
  }
}
