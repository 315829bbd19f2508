import type { RefusalValues } from "@one-api/contract/logs/refusal-values";
import type { ContextOverflow } from "@one-api/providers/context-overflow";

export interface RelayErrorFields {
  readonly status: number;
  readonly message: string;
  readonly type?: string;
  readonly code: string | null;
  readonly param?: string | null;
  readonly values?: RefusalValues | undefined;
  /** Set if the request is longer than the model's context: each dialect has its own message for that. */
  readonly overflow?: ContextOverflow | undefined;
  /** Seconds after which another try makes sense, for the Retry-After header. */
  readonly retryAfterSeconds?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Code of a provider's overload, for which some dialects have a status of their own. */
export const UPSTREAM_OVERLOADED = "upstream_overloaded";

/** An answer of the relay that is an error: readable by the caller, free of addresses and secrets. */
export class RelayError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string | null;
  readonly param: string | null;
  readonly values: RefusalValues | undefined;
  readonly overflow: ContextOverflow | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(fields: RelayErrorFields) {
    super(fields.message);
    this.name = "RelayError";
    this.status = fields.status;
    this.type = fields.type ?? "one_api_error";
    this.code = fields.code;
    this.param = fields.param ?? null;
    this.values = fields.values;
    this.overflow = fields.overflow;
    const retryAfter =
      fields.retryAfterSeconds === undefined ? {} : { "retry-after": String(fields.retryAfterSeconds) };
    this.headers = { ...fields.headers, ...retryAfter };
  }

  /** The same error for a token: with the contact that its owner has set, and with additional headers. */
  forToken(contact: string, headers: Readonly<Record<string, string>>): RelayError {
    const message = contact === "" ? this.message : `${this.message} Contact: ${contact}`;
    const { status, type, code, param, values, overflow } = this;
    const merged = { ...headers, ...this.headers };
    return new RelayError({ status, type, code, param, values, overflow, message, headers: merged });
  }
}
