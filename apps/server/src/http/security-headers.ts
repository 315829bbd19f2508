import type { FastifyReply, FastifyRequest } from "fastify";

const HSTS_SECONDS = 180 * 24 * 3600;

const SECURITY_HEADERS = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
} as const;

/** What a browser heeds of a document alone. */
const DOCUMENT_HEADERS = {
  "cross-origin-opener-policy": "same-origin-allow-popups",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
  "x-frame-options": "DENY",
} as const;

/** What an answer that is no page may do in a browser: nothing. */
const POLICY_OF_DATA = "default-src 'none'; frame-ancestors 'none'";

/**
 * Puts the headers on that every answer carries; a page replaces the content policy by its own. `isDocument` false: the console's scripts,
 * styles and images, of which a page loads twenty at once, without what is for documents.
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
 * The content policy of a page (CSP level 3): own files only, inline style and script elements only with the nonce. Frames are for
 * the chat page and pages that administrators set; http ones too, since a console inside a company often has no https either.
 * `humanCheck` is the address that the human check's script comes from; empty while it is switched off.
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
