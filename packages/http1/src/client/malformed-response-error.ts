/** The bytes are no HTTP/1.1 response, or one that two readers may understand differently. The message repeats none of them. */
export class MalformedResponseError extends Error {
  override name = "MalformedResponseError";
  readonly code = "MALFORMED_RESPONSE";
}
