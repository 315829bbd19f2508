/** The server cannot start, for a reason that the operator can change; the message says which. */
export class StartError extends Error {
  override readonly name = "StartError";
}
