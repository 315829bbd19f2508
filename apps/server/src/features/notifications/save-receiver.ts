import { RECEIVER_LIMITS } from "@one-api/contract/notifications/notification-constants";
import type {
  createReceiverInputSchema,
  Receiver,
  updateReceiverInputSchema,
} from "@one-api/contract/notifications/receiver";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { changesBetween, recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { inTransaction } from "../../core/transaction.ts";
import { isMetadataHost } from "../../platform/network/metadata-addresses.ts";
import { findLastDelivery, giveUpWaiting } from "./delivery.repository.ts";
import { presentReceiver } from "./receiver.present.ts";
import {
  countReceivers,
  deleteReceiverRow,
  findReceiver,
  insertReceiver,
  type NewReceiver,
  replaceReceiver,
  type StoredReceiver,
} from "./receiver.repository.ts";

type CreateInput = z.output<typeof createReceiverInputSchema>;
type UpdateInput = z.output<typeof updateReceiverInputSchema>;

/** Throws `receivers-full` and `receiver-address-metadata`. */
export async function createReceiver(context: CallContext, input: CreateInput): Promise<Receiver> {
  const { secrets, clock } = context;
  checkAddress(input.address);
  return inTransaction(context.database, async (transaction) => {
    if ((await countReceivers(transaction)) >= RECEIVER_LIMITS.receivers) throw receiversFull();
    const receiver = withInput(context, { addressCipher: "", secretCipher: "" }, input);
    const made = await insertReceiver(transaction, receiver, nowSeconds(clock));
    const detail = auditOf(made);
    await recordAudit(transaction, context, { action: "receiver.create", object: `receiver:${made.id}`, detail });
    const answer = presentReceiver(secrets, made);
    await context.rememberAnswer?.(transaction, answer);
    return answer;
  });
}

/**
 * Stores the input; an empty address or secret stays. Disabling gives up waiting deliveries. Throws `receiver-not-found`,
 * `receiver-address-metadata`, and `invalid-input` for another kind.
 */
export async function updateReceiver(context: CallContext, input: UpdateInput): Promise<Receiver> {
  checkAddress(input.address);
  return inTransaction(context.database, async (transaction) => {
    const before = await findReceiver(transaction, input.id);
    if (before === undefined) throw receiverNotFound();
    if (before.kind !== input.kind) throw kindFixed(before);
    const after = { ...withInput(context, before, input), id: before.id };
    await replaceReceiver(transaction, after);
    if (!after.enabled) await giveUpWaiting(transaction, after.id, "The receiver was disabled.");
    const detail = {
      ...changesBetween(auditOf(before), auditOf(after)),
      ...(input.address === "" ? {} : { address: "(changed)" }),
      ...(input.secret === "" ? {} : { secret: "(changed)" }),
    };
    await recordAudit(transaction, context, { action: "receiver.update", object: `receiver:${after.id}`, detail });
    return presentReceiver(context.secrets, after, await findLastDelivery(transaction, after.id));
  });
}

/** Throws `receiver-not-found`. */
export async function deleteReceiver(context: CallContext, id: number): Promise<void> {
  await inTransaction(context.database, async (transaction) => {
    const deleted = await deleteReceiverRow(transaction, id);
    if (deleted === undefined) throw receiverNotFound();
    const { name, kind } = deleted;
    const detail = { name, kind };
    await recordAudit(transaction, context, { action: "receiver.delete", object: `receiver:${id}`, detail });
  });
}

export function receiverNotFound(): AppError {
  return new AppError("receiver-not-found", "There is no such receiver, or not any more.");
}

function receiversFull(): AppError {
  const { receivers: limit } = RECEIVER_LIMITS;
  return new AppError("receivers-full", `There are ${limit} receivers. Delete one first.`, { values: { limit } });
}

function kindFixed({ kind }: StoredReceiver): AppError {
  return new AppError("invalid-input", `The kind of a receiver cannot change from ${kind}. Add another one.`, {
    field: "kind",
    values: { problem: "not-valid" },
  });
}

function checkAddress(address: string): void {
  if (!URL.canParse(address) || !isMetadataHost(new URL(address).hostname)) return;
  const message = "address must not lead to a link-local or cloud metadata address. Name another server.";
  throw new AppError("receiver-address-metadata", message, { field: "address" });
}

function withInput(
  { secrets }: CallContext,
  before: Pick<NewReceiver, "addressCipher" | "secretCipher">,
  input: CreateInput,
): NewReceiver {
  const { name, kind, address, secret, alerts, marks, language, quiet_hours, enabled } = input;
  return {
    name,
    kind,
    alerts,
    marks,
    language,
    enabled,
    quietHours: quiet_hours ?? undefined,
    addressCipher: address === "" ? before.addressCipher : secrets.seal("receiver-address", address),
    secretCipher: secret === "" ? before.secretCipher : secrets.seal("receiver-secret", secret),
  };
}

function auditOf({ name, kind, alerts, marks, language, quietHours, enabled }: NewReceiver) {
  const quiet = quietHours === undefined ? "" : `${quietHours.start}–${quietHours.end} ${quietHours.time_zone}`;
  return { name, kind, alerts: alerts.join(", "), marks: marks.join(", "), language, quiet_hours: quiet, enabled };
}
