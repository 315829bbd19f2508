/** A problem that the operator can solve. The message has no secrets. */
export class ConfigureError extends Error {
  override readonly name = "ConfigureError";
}
