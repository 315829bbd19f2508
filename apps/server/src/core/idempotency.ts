import { violatedConstraint } from "@one-api/database/database-errors";
import { AppError } from "./app-error.ts";
import { type CallContext, requireActor } from "./call-context.ts";
import { nowSeconds } from "../platform/clock.ts";
import { fingerprint, placeOf } from "./secrets.ts";
import type { Queryable } from "./transaction.ts";

/** As long as payment providers repeat their calls. */
const STORED_SECONDS = 24 * 3600;

/** A call with an idempotency key (IETF draft-ietf-httpapi-idempotency-key-header). */
interface KeyedCall {
  readonly key: string;
  readonly request: unknown;
}

interface StoredAnswer {
  readonly data: unknown;
}

/** Repeats the stored answer of the same key and request for a day, else runs `work`, which calls `rememberAnswer`. Throws `idempotency-key-reused` for another request. */
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
    // A concurrent call may have been answered: the code is used, the name taken, or the key stored.
    const first =
      error instanceof AppError || violatedConstraint(error) === "unique" ? await findAnswer(context, call) : undefined;
    if (first === undefined) throw error;
    return { data: first.data, isRepeated: true };
  }
}

async function findAnswer(context: CallContext, { key, request }: KeyedCall): Promise<StoredAnswer | undefined> {
  const { database, clock, secrets } = context;
  const userId = requireActor(context).id;
  const row = await database.db
    .selectFrom("idempotent_answers")
    .select(["request_hmac", "answer_cipher"])
    .where("user_id", "=", userId)
    .where("key_hash", "=", fingerprint(key))
    .where("expires_at", ">", nowSeconds(clock))
    .executeTakeFirst();
  if (row === undefined) return undefined;
  if (row.request_hmac !== requestHmac(context, request)) throw keyReused();
  const data: unknown = JSON.parse(
    secrets.open("idempotent-answer", row.answer_cipher, placeOf("idempotent_answers of user", userId)),
  );
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
      // Encrypted, as answers of creations contain keys.
      answer_cipher: context.secrets.seal("idempotent-answer", JSON.stringify(data)),
      expires_at: now + STORED_SECONDS,
    })
    .execute();
}

/** A hash, as requests may contain passwords. */
function requestHmac({ secrets }: CallContext, request: unknown): string {
  return secrets.lookup(JSON.stringify(["idempotent-request", request]));
}

function keyReused(): AppError {
  const message = "This Idempotency-Key came with another request before. Use a new key for each new request.";
  return new AppError("idempotency-key-reused", message, { field: "Idempotency-Key" });
}

/** Throws `invalid-input` unless the header has 1 to 255 visible ASCII characters. */
export function readIdempotencyKey(header: string): string {
  if (/^[\x21-\x7e]{1,255}$/.test(header)) return header;
  throw new AppError("invalid-input", "Idempotency-Key must have 1 to 255 visible ASCII characters without spaces.", {
    field: "Idempotency-Key",
    values: { problem: "not-valid" },
  });
}
