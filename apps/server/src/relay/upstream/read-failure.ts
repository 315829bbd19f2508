import {
  type Failure,
  type FailureKind,
  failureOf,
  ProviderFailedError,
  UncallableChannelError,
} from "@one-api/providers/failure";
import type { Logger } from "pino";
import { RelayError } from "../errors/index.ts";

export function isOfAccount({ kind }: Failure): boolean {
  return kind === "bad-credential" || kind === "out-of-credit";
}

/** `answerBegan`: after the upstream's headers. */
export function failureOfError(error: Error, answerBegan: boolean): Failure {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const kind = kindOfCode(code, answerBegan);
  return {
    kind,
    status: 0,
    message: code === INVALID_REQUEST ? unsendable(error) : (FAULTS[code] ?? MESSAGES[kind] ?? NO_CONNECTION),
    code,
    type: "",
    param: null,
    retryAfterMs: null,
  };
}

/** The model did not begin its answer in the time that the alias gives it. */
export const ALIAS_DEADLINE = "alias_deadline";
export const UNPREPARED = "request_unprepared";

/** Maps an error raised before a request was sent. Undefined for a refusal that applies to every channel. */
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

/** Message for administrators, with status and code in brackets. */
export function explainFailure({ message, code }: Failure, status = 0): string {
  const facts = [
    ...(status === 0 ? [] : [`status ${status}`]),
    ...(code === "" || code === ALIAS_DEADLINE ? [] : [code]),
  ];
  return facts.length === 0 ? message : `${message.replace(/\.$/, "")} (${facts.join(", ")}).`;
}

export function describeFailure(failure: Failure): string {
  const message = failure.status === 0 ? explainFailure(failure) : failure.message;
  return `${failure.kind}: ${message}`.slice(0, 300);
}

/** Failure for a redirect, which is never followed with a key; else undefined. `url`: the requested address. */
export function failureOfRedirect(status: number, location: unknown, url: string): Failure | undefined {
  if (status < 300 || status > 399 || typeof location !== "string" || !URL.canParse(location, url)) return undefined;
  // Path and query may contain keys.
  const { origin } = new URL(location, url);
  return failureOf(
    "bad-answer",
    status,
    `The provider's address redirects to ${origin}. Look at the channel's base_url.`,
  );
}

const NO_CONNECTION = "The connection to the provider failed.";
const MESSAGES: Partial<Record<FailureKind, string>> = {
  timeout: "The provider did not answer in time.",
  tls: "The provider's TLS certificate is not good.",
  "broken-stream": "The provider broke off its answer.",
};

const UNKNOWN_AUTHORITY =
  "The provider's TLS certificate is from an unknown authority. Check the channel's base_url, or name the authority's file in NODE_EXTRA_CA_CERTS.";
const NO_TLS = "The provider's address does not speak TLS. Check https in the channel's base_url.";
/** Faults of certificates (OpenSSL's names) and of host names, with a hint for the operator. */
const FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED:
    "The provider's TLS certificate has expired. The provider must renew it; check this server's clock.",
  CERT_NOT_YET_VALID: "The provider's TLS certificate is not valid yet. Check this server's clock.",
  CERT_REVOKED: "The provider's TLS certificate was revoked. Check the channel's base_url.",
  ERR_TLS_CERT_ALTNAME_INVALID:
    "The provider's TLS certificate is for another host name. Check the channel's base_url.",
  DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  ENOTFOUND: "Host name not found. Check the channel's base_url and proxy.",
  EAI_AGAIN: "The host name could not be resolved. Check this server's DNS.",
};

const INVALID_REQUEST = "UND_ERR_INVALID_ARG";

/** Undici's message names the error ("invalid authorization header") without content. */
function unsendable({ message }: Error): string {
  return `The request cannot be sent to the provider: ${message}. Look for line breaks and other special characters in the channel's key and headers.`;
}

function kindOfCode(code: string, answerBegan: boolean): FailureKind {
  if (code.endsWith("_TIMEOUT") || code === "ETIMEDOUT") return "timeout";
  if (/CERT|TLS|SSL|UNABLE_TO_/.test(code)) return "tls";
  return answerBegan ? "broken-stream" : "connection";
}
