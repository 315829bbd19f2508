import type { Queryable } from "../../core/transaction.ts";
import { type MailMessage, mailMessageSchema } from "./mail-message.ts";

/** Recipient of messages to root. They go to Message Pusher or to root's address, as set when they are sent. */
export const ROOT_RECIPIENT = "";

const LEFT_SECONDS = 60;

export interface ClaimedMessage {
  readonly id: number;
  readonly createdAt: number;
  readonly recipient: string;
  readonly message: MailMessage;
  /** Includes the current attempt. */
  readonly attempts: number;
}

/** Adds a message in the transaction of its cause. `at` in Unix seconds. */
export async function queueMessage(
  transaction: Queryable,
  { recipient, message, at }: { readonly recipient: string; readonly message: MailMessage; readonly at: number },
): Promise<void> {
  const row = { recipient, message: JSON.stringify(message), created_at: at, due_at: at };
  await transaction.insertInto("outbox").values(row).execute();
}

/**
 * Claims the message that has been due longest for `leaseSeconds`. Undefined without one. A message that only a later release can read is left to its servers.
 */
export async function claimMessage(
  queryable: Queryable,
  now: number,
  leaseSeconds: number,
): Promise<ClaimedMessage | undefined> {
  for (;;) {
    const row = await claimRow(queryable, now, leaseSeconds);
    if (row === undefined) return undefined;
    const { id, created_at: createdAt, recipient, attempts } = row;
    const message = mailMessageSchema.safeParse(JSON.parse(row.message)).data;
    if (message !== undefined) return { id, createdAt, recipient, attempts, message };
    const left = { due_at: now + LEFT_SECONDS, attempts: attempts - 1 };
    await queryable.updateTable("outbox").set(left).where("id", "=", id).execute();
  }
}

function claimRow(queryable: Queryable, now: number, leaseSeconds: number) {
  return queryable
    .updateTable("outbox")
    .set((old) => ({ due_at: now + leaseSeconds, attempts: old("attempts", "+", 1) }))
    .where("id", "=", (due) =>
      due.selectFrom("outbox").select("id").where("due_at", "<=", now).orderBy("due_at").orderBy("id").limit(1),
    )
    .where("due_at", "<=", now)
    .returning(["id", "created_at", "recipient", "message", "attempts"])
    .executeTakeFirst();
}

export async function removeMessage(queryable: Queryable, id: number): Promise<void> {
  await queryable.deleteFrom("outbox").where("id", "=", id).execute();
}

export async function postponeMessage(queryable: Queryable, id: number, dueAt: number): Promise<void> {
  await queryable.updateTable("outbox").set({ due_at: dueAt }).where("id", "=", id).execute();
}

export async function failsAlready(queryable: Queryable, id: number): Promise<boolean> {
  const older = queryable.selectFrom("outbox").select("id").where("id", "<", id).where("attempts", ">", 0).limit(1);
  return (await older.executeTakeFirst()) !== undefined;
}
