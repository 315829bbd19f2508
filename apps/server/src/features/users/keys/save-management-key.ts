import type {
  createManagementKeyInputSchema,
  ManagementKey,
  NewManagementKey,
  updateManagementKeyInputSchema,
} from "@one-api/contract/accounts/management-key";
import {
  KEY_SCOPES,
  type KeyScope,
  MANAGEMENT_KEY_LIMITS,
  MANAGEMENT_KEY_PREFIX,
} from "@one-api/contract/accounts/management-key-constants";
import { hasScope } from "@one-api/contract/accounts/management-key-scopes";
import { NEVER_EXPIRES } from "@one-api/contract/token-constants";
import type { z } from "zod";
import { type Actor, actorIsRoot } from "../../../core/actor.ts";
import { AppError } from "../../../core/app-error.ts";
import { changesBetween, recordAudit } from "../../../core/audit.ts";
import { type CallContext, requireActor } from "../../../core/call-context.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import { fingerprint, randomText } from "../../../core/secrets.ts";
import { inTransaction, type Queryable } from "../../../core/transaction.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import { lockBoundAccount } from "../account.repository.ts";
import { notifyOwner } from "../notices/notify-owner.ts";
import type { RequireProof } from "../update-self.ts";
import { presentManagementKey } from "./management-key.present.ts";
import {
  changeManagementKey,
  countManagementKeys,
  findManagementKeyRow,
  insertManagementKey,
  type ManagementKeyRow,
  replaceManagementKey,
  revokeManagementKeyRow,
} from "./management-key.repository.ts";

const SECRET_LENGTH = 40;
const HINT_LENGTH = 4;

export interface KeyDeps {
  readonly options: OptionStore;
  readonly requireProof: RequireProof;
  readonly sessionId: string | undefined;
}

/** Returns the new key with its secret, of which only the hash is stored. Throws `management-keys-full`, `not-allowed` without a session, and `proof-needed`. */
export async function createManagementKey(
  context: CallContext,
  { name, networks, expires_at, ...input }: z.output<typeof createManagementKeyInputSchema>,
  deps: KeyDeps,
): Promise<NewManagementKey> {
  const actor = await requireOwner(context, deps);
  const now = nowSeconds(context.clock);
  if (expires_at !== NEVER_EXPIRES && expires_at <= now) throw expiryPassed();
  const scopes = tidyScopes(input.scopes);
  const { key, ...secret } = newSecret();
  return inTransaction(context.database, async (transaction) => {
    await lockBoundAccount(transaction, actor.id);
    if ((await countManagementKeys(transaction, { userId: actor.id })) >= MANAGEMENT_KEY_LIMITS.keys) throw keysFull();
    const row = { user_id: actor.id, name, scopes, networks, created_at: now, expires_at };
    const id = await insertManagementKey(transaction, { ...row, ...secret });
    const detail = { name, scopes: scopes.join(", "), networks: networks.join(", "), expires_at };
    await recordAudit(transaction, context, {
      action: "management-key.create",
      object: `management-key:${id}`,
      detail,
    });
    return finish(transaction, context, deps, { id, key });
  });
}

/**
 * Changes one of the caller's keys; its secret stays. Throws `management-key-not-found`, `not-allowed` without a session,
 * and `proof-needed`, as a key with more rights is like a new one.
 */
export async function updateManagementKey(
  context: CallContext,
  id: number,
  input: z.output<typeof updateManagementKeyInputSchema>,
  deps: KeyDeps,
): Promise<ManagementKey> {
  await findOwnKey(context.database.db, requireActor(context), id);
  const actor = await requireOwner(context, deps);
  const now = nowSeconds(context.clock);
  return inTransaction(context.database, async (transaction) => {
    await lockBoundAccount(transaction, actor.id);
    const before = await findOwnKey(transaction, actor, id);
    const scopes = input.scopes === undefined ? before.scopes : tidyScopes(input.scopes);
    const { name = before.name, networks = before.networks, expires_at = before.expires_at } = input;
    // An expired key may get another name.
    if (expires_at !== before.expires_at && expires_at !== NEVER_EXPIRES && expires_at <= now) throw expiryPassed();
    const after = { ...before, name, scopes, networks, expires_at };
    const detail = changesBetween(auditOf(before), auditOf(after));
    if (Object.keys(detail).length > 0) {
      await changeManagementKey(transaction, id, after);
      const object = `management-key:${id}`;
      await recordAudit(transaction, context, { action: "management-key.update", object, detail });
      const change = { userId: actor.id, change: "management-key-changed", subject: name } as const;
      await notifyOwner(transaction, context, deps.options, change);
    }
    return presentManagementKey(after, actor, now);
  });
}

function auditOf({ name, scopes, networks, expires_at }: ManagementKeyRow) {
  return { name, scopes: scopes.join(", "), networks: networks.join(", "), expires_at };
}

/** Without the reading scopes that a writing one includes. */
function tidyScopes(chosen: readonly KeyScope[]): KeyScope[] {
  return KEY_SCOPES.filter(
    (scope) =>
      chosen.includes(scope) &&
      !hasScope(
        chosen.filter((other) => other !== scope),
        scope,
      ),
  );
}

/**
 * Replaces the secret of one of the caller's keys. The present one works for `overlapSeconds`; an older one ends at once.
 * Throws `management-key-not-found`, `not-allowed` without a session, and `proof-needed`.
 */
export async function rotateManagementKey(
  context: CallContext,
  { id, overlapSeconds }: { readonly id: number; readonly overlapSeconds: number },
  deps: KeyDeps,
): Promise<NewManagementKey> {
  await findOwnKey(context.database.db, requireActor(context), id);
  const actor = await requireOwner(context, deps);
  const endsAt = nowSeconds(context.clock) + overlapSeconds;
  const { key, key_hash: keyHash, hint } = newSecret();
  return inTransaction(context.database, async (transaction) => {
    await lockBoundAccount(transaction, actor.id);
    const { name } = await findOwnKey(transaction, actor, id);
    await replaceManagementKey(transaction, id, { keyHash, hint, oldKeyEndsAt: endsAt });
    const detail = { name, old_key_ends_at: endsAt };
    await recordAudit(transaction, context, {
      action: "management-key.rotate",
      object: `management-key:${id}`,
      detail,
    });
    return finish(transaction, context, deps, { id, key });
  });
}

/** Throws `management-key-not-found`. */
export async function getManagementKey(context: CallContext, id: number): Promise<ManagementKey> {
  const actor = requireActor(context);
  const row = await findManagementKeyRow(context.database.db, keysFor(actor), id);
  if (row === undefined) throw keyNotFound();
  return presentManagementKey(row, actor, nowSeconds(context.clock));
}

/** Throws `management-key-not-found`. */
export async function revokeManagementKey(context: CallContext, id: number): Promise<void> {
  const actor = requireActor(context);
  await inTransaction(context.database, async (transaction) => {
    const row = await findManagementKeyRow(transaction, keysFor(actor), id);
    if (row === undefined) throw keyNotFound();
    await revokeManagementKeyRow(transaction, id, nowSeconds(context.clock));
    await recordAudit(transaction, context, {
      action: "management-key.revoke",
      object: `management-key:${id}`,
      detail: { name: row.name, owner: row.owner },
    });
  });
}

/** The keys that the actor may list and revoke. */
export function keysFor(actor: Actor) {
  return { userId: actorIsRoot(actor) ? undefined : actor.id };
}

/** A key made by another credential could outlive it, so only a session makes keys. */
async function requireOwner(context: CallContext, { requireProof, sessionId }: KeyDeps): Promise<Actor> {
  const actor = requireActor(context);
  if (actor.via !== "session")
    throw new AppError("not-allowed", "Log in to the console to create, edit or rotate a management key.");
  await requireProof(context, sessionId);
  return actor;
}

async function findOwnKey(queryable: Queryable, actor: Actor, id: number): Promise<ManagementKeyRow> {
  const row = await findManagementKeyRow(queryable, { userId: actor.id }, id);
  if (row === undefined) throw keyNotFound();
  return row;
}

async function finish(
  transaction: Queryable,
  context: CallContext,
  { options }: KeyDeps,
  { id, key }: { readonly id: number; readonly key: string },
): Promise<NewManagementKey> {
  const actor = requireActor(context);
  const row = await findOwnKey(transaction, actor, id);
  await notifyOwner(transaction, context, options, { userId: actor.id, change: "management-key", subject: row.name });
  const answer = { ...presentManagementKey(row, actor, nowSeconds(context.clock)), key };
  await context.rememberAnswer?.(transaction, answer);
  return answer;
}

function newSecret() {
  const key = `${MANAGEMENT_KEY_PREFIX}${randomText(SECRET_LENGTH)}`;
  return { key, key_hash: fingerprint(key), hint: key.slice(-HINT_LENGTH) };
}

function keyNotFound(): AppError {
  return new AppError("management-key-not-found", "There is no such management key, or not any more.");
}

function keysFull(): AppError {
  const { keys: limit } = MANAGEMENT_KEY_LIMITS;
  return new AppError("management-keys-full", `You have ${limit} management keys. Revoke one first.`, {
    values: { limit },
  });
}

function expiryPassed(): AppError {
  return new AppError("invalid-input", "expires_at must be in the future, or -1 for no end.", {
    field: "expires_at",
    values: { problem: "not-valid" },
  });
}
