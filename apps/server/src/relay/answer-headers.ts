import { REQUEST_ID_HEADER } from "@one-api/contract/constants";

const EXPOSED = [
  REQUEST_ID_HEADER,
  "retry-after",
  ...["limit", "remaining", "reset"].flatMap((part) => [`x-ratelimit-${part}-requests`, `x-ratelimit-${part}-tokens`]),
].join(", ");

/** Headers of every answer of the relay. Pages of any origin may read it: a key is needed, and no cookie counts here. */
export function answerHeaders(requestId: string): Record<string, string> {
  return {
    [REQUEST_ID_HEADER]: requestId,
    "access-control-allow-origin": "*",
    "access-control-expose-headers": EXPOSED,
  };
}

/** Headers of the answer to a browser that asks before it calls (Fetch standard, "CORS-preflight fetch"). */
export const PREFLIGHT_HEADERS = {
  "access-control-allow-origin": "*",
  "access-control-allow-methods": "GET, POST",
  "access-control-allow-headers": "*, authorization",
  "access-control-max-age": "86400",
} as const;
