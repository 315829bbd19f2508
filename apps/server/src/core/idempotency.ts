import { violatedConstraint } from "@one-api/database/database-errors";
import { AppError } from "./app-error.ts";
import { type CallContext, requireActor } from "./call-context.ts";
import { nowSeconds } from "../platform/clock.ts";
import { fingerprint } from "./secrets.ts";
import type { Queryable } from "./transaction.ts";

/** Seconds that an answer is stored, as long as payment providers repeat their calls. */
const STORED_SECONDS = 24 * 3600;

/** One call with a key of its caller's choice (IETF draft-ietf-httpapi-idempotency-key-header). */
interface KeyedCall {
  /** Characters that the caller chose. */
  readonly key: string;
  /** Everything that makes it another request: the call and its input. */
  readonly request: unknown;
}

interface StoredAnswer {
  readonly data: unknown;
}

/**
 * Answers a call that may be repeated: the first answer again where the caller made the same request with this key within a day, else that
 * of `work`, which stores its answer with `rememberAnswer` in the transaction of its effect. Of calls at the same time one has the effect.
 * A refused call stores nothing. Throws `idempotency-key-reused` where the key came with another request.
 */
export async function answerOnce(
  context: CallContext,
  call: KeyedCall,
  work: (context: CallContext) => Promise<unknown>,
): Promise<{ readonly data: unknown; readonly isRepeated: boolean }> {
  const stored = await findAnswer(context, call);
  if (stored !== undefined) return { data: stored.data, isRepeated: true };
  const remember = (transaction: Queryable, data: unknown) => storeAnswer(transaction, context, call, data);
  try {
    return { data: await work({ ...context, rememberAnswer: remember }), isRepeated: false };
  } catch (error) {
    // The same call may have been answered meanwhile: then the code is used, the name taken, or the key stored.
    const first =
      error instanceof AppError || violatedConstraint(error) === "unique" ? await findAnswer(context, call) : undefined;
    if (first === undefined) throw error;
    return { data: first.data, isRepeated: true };
  }
}

async function findAnswer(context: CallContext, { key, request }: KeyedCall): Promise<StoredAnswer | undefined> {
  const { database, clock, secrets } = context;
  const row = await database.db
    .selectFrom("idempotent_answers")
    .select(["request_hmac", "answer_cipher"])
    .where("user_id", "=", requireActor(context).id)
    .where("key_hash", "=", fingerprint(key))
    .where("expires_at", ">", nowSeconds(clock))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.request_hmac !== requestHmac(context, request)) throw keyReused();
  const data: unknown = JSON.parse(secrets.open("idempotent-answer", row.answer_cipher));
  return { data };
}

async function storeAnswer(
  transaction: Queryable,
  context: CallContext,
  { key, request }: KeyedCall,
  data: unknown,
): Promise<void> {
  const now = nowSeconds(context.clock);
  await transaction.deleteFrom("idempotent_answers").where("expires_at", "<=", now).execute();
  await transaction
    .insertInto("idempotent_answers")
    .values({
      user_id: requireActor(context).id,
      key_hash: fingerprint(key),
      request_hmac: requestHmac(context, request),
      // Answers of creations have keys in them.
      answer_cipher: context.secrets.seal("idempotent-answer", JSON.stringify(data)),
      expires_at: now + STORED_SECONDS,
    })
    .execute();
}

/** Requests may have passwords in them. */
function requestHmac({ secrets }: CallContext, request: unknown): string {
  return secrets.lookup(JSON.stringify(["idempotent-request", request]));
}

function keyReused(): AppError {
  const message = "This Idempotency-Key came with another request before. Use a new key for each new request.";
  return new AppError("idempotency-key-reused", message, { field: "Idempotency-Key" });
}

/** Returns the header's text. Throws `invalid-input` unless it has 1 to 255 visible characters of ASCII. */
export function readIdempotencyKey(header: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new AppError("invalid-input", "Idempotency-Key must have 1 to 255 visible ASCII characters without spaces.", {
    field: "Idempotency-Key",
    values: { problem: "not-valid" },
  });
}
