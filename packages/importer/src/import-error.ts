/** The import cannot start, for a reason that the operator can change. The message contains no secrets. */
export class ImportError extends Error {
  override readonly name = "ImportError";
}
