import type { FastifyReply, FastifyRequest } from "fastify";

const HSTS_SECONDS = 180 * 24 * 3600;

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
} as const;

const DOCUMENT_HEADERS = {
  "cross-origin-opener-policy": "same-origin-allow-popups",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "x-frame-options": "DENY",
} as const;

/** Policy of answers that are not pages: no content may run. */
const POLICY_OF_DATA = "default-src 'none'; frame-ancestors 'none'";

/**
 * Sets the headers of every answer; a page replaces the content policy. `isDocument` false omits document headers, for everything but pages.
 */
export async function setSecurityHeaders(
  request: FastifyRequest,
  reply: FastifyReply,
  { isDocument = true } = {},
): Promise<void> {
  if (isDocument) void reply.headers(DOCUMENT_HEADERS);
  void reply.headers(SECURITY_HEADERS).header("content-security-policy", POLICY_OF_DATA);
  if (request.protocol === "https") void reply.header("strict-transport-security", `max-age=${HSTS_SECONDS}`);
}

/**
 * Content policy of a page (CSP level 3): own files only, inline elements with the nonce. Frames, also over http, are for the chat page and pages of
 * administrators. `humanCheck` is the address of the human check's script; empty if off.
 */
export function pagePolicy(nonce: string, humanCheck: string): string {
  const scripts = ["'self'", `'nonce-${nonce}'`, ...(humanCheck === "" ? [] : [new URL(humanCheck).origin])];
  return [
    "default-src 'none'",
    `script-src ${scripts.join(" ")}`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' https: http: data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "frame-src https: http:",
    "base-uri 'none'",
    "form-action 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
