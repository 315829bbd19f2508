import {
  type Failure,
  type FailureKind,
  failureOf,
  ProviderFailedError,
  UncallableChannelError,
} from "@one-api/providers/failure";
import type { Logger } from "pino";
import { RelayError } from "../errors/index.ts";

/** Whether a failure is about the channel's own key or account. */
export function isOfAccount({ kind }: Failure): boolean {
  return kind === "bad-credential" || kind === "out-of-credit";
}

/** Reads an error of the HTTP client as a failure. `answerBegan`: after the upstream's headers. */
export function failureOfError(error: Error, answerBegan: boolean): Failure {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const kind = kindOfCode(code, answerBegan);
  return {
    kind,
    status: 0,
    message:
      code === INVALID_REQUEST ? unsendable(error) : (MESSAGES[kind] ?? "The connection to the provider failed."),
    code,
    type: "",
    param: null,
    retryAfterMs: null,
  };
}

/** Code of a request that the gateway's own code could not prepare. */
export const UNPREPARED = "request_unprepared";

/**
 * Reads an error that came before a request was sent, such as a missing account id or a token that was refused. Undefined for a refusal that ends the
 * request whatever channel it goes to. An error of the gateway's own code goes to the server's log with the facts.
 */
export function failureOfUncalled(
  error: unknown,
  log: Pick<Logger, "error">,
  facts: { readonly channelId: number | undefined; readonly requestId?: string },
): Failure | undefined {
  if (error instanceof ProviderFailedError) return error.failure;
  if (error instanceof RelayError) return undefined;
  if (error instanceof UncallableChannelError) return failureOf("connection", 0, error.message);
  log.error({ err: error, ...facts }, "a request to a channel could not be prepared");
  const message = "The request to the provider could not be prepared. The server's log names the cause.";
  return { ...failureOf("connection", 0, message), code: UNPREPARED };
}

/** What administrators read of a failure: its message, and in brackets what they can look up, such as ECONNREFUSED. */
export function explainFailure({ message, code }: Failure, status = 0): string {
  const facts = [...(status === 0 ? [] : [`status ${status}`]), ...(code === "" ? [] : [code])];
  return facts.length === 0 ? message : `${message.replace(/\.$/, "")} (${facts.join(", ")}).`;
}

/** What the log keeps of a failed attempt. Of an answer its status stands beside it; without one, the network's own word says why. */
export function describeFailure(failure: Failure): string {
  const message = failure.status === 0 ? explainFailure(failure) : failure.message;
  return `${failure.kind}: ${message}`.slice(0, 300);
}

/** The failure of a provider that leads elsewhere, which nobody follows with a key; undefined for another answer. `url` was asked. */
export function failureOfRedirect(status: number, location: unknown, url: string): Failure | undefined {
  if (status < 300 || status > 399 || typeof location !== "string" || !URL.canParse(location, url)) return undefined;
  // Path and query may carry keys.
  const { origin } = new URL(location, url);
  return failureOf(
    "bad-answer",
    status,
    `The provider's address redirects to ${origin}. Look at the channel's base_url.`,
  );
}

const MESSAGES: Partial<Record<FailureKind, string>> = {
  timeout: "The provider did not answer in time.",
  tls: "The provider's TLS certificate is not good.",
  "broken-stream": "The provider broke off its answer.",
};

/** The HTTP client's code for what it does not send. */
const INVALID_REQUEST = "UND_ERR_INVALID_ARG";

/** The client names what is wrong ("invalid authorization header"), and none of its content. */
function unsendable({ message }: Error): string {
  return `The request cannot be sent to the provider: ${message}. Look for line breaks and other special characters in the channel's key and headers.`;
}

function kindOfCode(code: string, answerBegan: boolean): FailureKind {
  if (code.endsWith("_TIMEOUT") || code === "ETIMEDOUT") return "timeout";
  if (/CERT|TLS|SSL|UNABLE_TO_/.test(code)) return "tls";
  return answerBegan ? "broken-stream" : "connection";
}
