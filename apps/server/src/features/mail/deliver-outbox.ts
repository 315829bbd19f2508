import { LOG_TYPE } from "@one-api/contract/logs/log";
import type { LogEvent } from "@one-api/contract/logs/log-event";
import type { OpenDatabase } from "@one-api/database/open-database";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import { inTransaction, type Queryable } from "../../core/transaction.ts";
import { writeLog } from "../logs/index.ts";
import { oneLine } from "./mail-message.ts";
import { MailDelayedError, type Mailer, MailRefusedError } from "./mailer.ts";
import type { MessagePusher } from "./message-pusher.ts";
import {
  claimMessage,
  type ClaimedMessage,
  failsAlready,
  postponeMessage,
  removeMessage,
  ROOT_RECIPIENT,
} from "./outbox.repository.ts";

/** Longer than any attempt. After it the server that claimed the message counts as dead. */
const LEASE_SECONDS = 300;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/**
 * Pause after each failed attempt. After the last one, a day and a half after it was written, the message is
 * discarded.
 */
const WAITS_SECONDS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 12 * HOUR] as const;

export interface DeliveryDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly pusher: MessagePusher;
  readonly findRootEmail: (queryable: Queryable) => Promise<string>;
  /** True when the server stops. No further message is started then. */
  readonly isStopping?: () => boolean;
}

/**
 * Sends all due messages, oldest first. Several servers may run it at once.
 * A failure ends the run unless it concerns only the recipient's address. The message is retried later.
 */
export async function deliverOutbox(deps: DeliveryDeps): Promise<number> {
  let sent = 0;
  while (deps.isStopping?.() !== true) {
    const claimed = await claimMessage(deps.database.db, nowSeconds(deps.clock), LEASE_SECONDS);
    if (claimed === undefined) break;
    const failure = await send(deps, claimed).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
    );
    if (failure === undefined) {
      await removeMessage(deps.database.db, claimed.id);
      sent += 1;
    } else if (!(await handleFailure(deps, claimed, failure))) break;
  }
  return sent;
}

async function send({ database, mailer, pusher, findRootEmail }: DeliveryDeps, claimed: ClaimedMessage): Promise<void> {
  const { recipient, message, createdAt } = claimed;
  const id = `${claimed.id}.${createdAt}`;
  if (recipient !== ROOT_RECIPIENT) return mailer.send({ to: recipient, message, id });
  const rootEmail = await findRootEmail(database.db);
  const canMail = rootEmail !== "" && mailer.isSetUp();
  // Nothing is configured; the system log has the alert.
  if (!pusher.isSetUp() && !canMail) return;
  if (!pusher.isSetUp()) return mailer.send({ to: rootEmail, message, id });
  try {
    await pusher.push(message);
  } catch (error) {
    if (!canMail) throw error;
    await mailer.send({ to: rootEmail, message, id });
  }
}

/** True if other messages may succeed now. */
async function handleFailure(
  { database, clock }: DeliveryDeps,
  { id, recipient, message, attempts }: ClaimedMessage,
  failure: Error,
): Promise<boolean> {
  const now = nowSeconds(clock);
  const isDelayed = failure instanceof MailDelayedError;
  const waitSeconds = failure instanceof MailRefusedError ? undefined : WAITS_SECONDS[attempts - 1];
  const values = {
    subject: oneLine(message.subject),
    recipient: recipient === ROOT_RECIPIENT ? "" : oneLine(recipient),
  };
  const what = `"${values.subject}" to ${values.recipient || "the super administrator"}`;
  await inTransaction(database, async (transaction) => {
    const log = (content: string, code: LogEvent["code"]) => {
      const event = { code, values: { ...values, tries: attempts, said: failure.message } };
      return writeLog(transaction, { created_at: now, type: LOG_TYPE.system, content, event });
    };
    if (waitSeconds === undefined) {
      await removeMessage(transaction, id);
      await log(`The message ${what} is given up after ${attempts} tries. ${failure.message}`, "message-given-up");
      return;
    }
    await postponeMessage(transaction, id, now + waitSeconds);
    // One entry for an unavailable mail server and all its messages. Failures of an
    // address are logged when it is given up.
    if (attempts === 1 && !isDelayed && !(await failsAlready(transaction, id)))
      await log(
        `The message ${what} could not be sent; it is tried again, as are all others. ${failure.message}`,
        "message-postponed",
      );
  });
  return isDelayed || failure instanceof MailRefusedError;
}
