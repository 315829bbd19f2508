/** What came is no response of HTTP/1.1, or one that may be read in two ways. The message repeats nothing of it. */
export class MalformedResponseError extends Error {
  override name = "MalformedResponseError";
  readonly code = "MALFORMED_RESPONSE";
}
