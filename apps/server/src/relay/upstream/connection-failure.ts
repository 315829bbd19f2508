import type { Failure, FailureKind } from "@one-api/providers/failure";

/** Reads an error of the HTTP client as a failure. `answerBegan`: after the upstream's headers. */
export function failureOfError(error: Error, answerBegan: boolean): Failure {
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const kind = kindOfCode(code, answerBegan);
  return {
    kind,
    status: 0,
    message: MESSAGES[kind] ?? "The connection to the provider failed.",
    code,
    type: "",
    param: null,
    retryAfterMs: null,
  };
}

/** Builds a failure that the gateway itself has found in an answer. */
export function failureOf(kind: FailureKind, status: number, message: string): Failure {
  return { kind, status, message, code: "", type: "", param: null, retryAfterMs: null };
}

const MESSAGES: Partial<Record<FailureKind, string>> = {
  timeout: "The provider did not answer in time.",
  tls: "The provider's TLS certificate is not good.",
  "broken-stream": "The provider broke off its answer.",
};

function kindOfCode(code: string, answerBegan: boolean): FailureKind {
  if (code.endsWith("_TIMEOUT") || code === "ETIMEDOUT") return "timeout";
  if (/CERT|TLS|SSL|UNABLE_TO_/.test(code)) return "tls";
  return answerBegan ? "broken-stream" : "connection";
}
