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

/** Longer than any try takes, in seconds: then the process that claimed the message is dead and another may send it. */
const LEASE_SECONDS = 300;
const MINUTE = 60;
const HOUR = 60 * MINUTE;
/** Seconds from each failed try to the next; after the last one the message is given up, a day and a half after it was written. */
const WAITS_SECONDS = [MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, 12 * HOUR] as const;

/** What messages are sent with. */
export interface DeliveryDeps {
  readonly database: OpenDatabase;
  readonly clock: Clock;
  readonly mailer: Mailer;
  readonly pusher: MessagePusher;
  /** Root's address; empty for none. */
  readonly findRootEmail: (queryable: Queryable) => Promise<string>;
  /** Says whether the server stops: then no further message is begun. */
  readonly isStopping?: () => boolean;
}

/**
 * Sends every message that is due, oldest first, and returns how many went out. Several processes may do it at the same time; a process that
 * dies between sending and noting it leaves a message that is sent again, with the same id. One that fails is tried again later, and ends the
 * run unless that is of its address: the next one would meet the same server. The first failure, and each message that is given up, leaves a row in the system log.
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
  // Nobody has set a way up: what it tells stands in the system log.
  if (!pusher.isSetUp() && !canMail) return;
  if (!pusher.isSetUp()) return mailer.send({ to: rootEmail, message, id });
  try {
    await pusher.push(message);
  } catch (error) {
    if (!canMail) throw error;
    await mailer.send({ to: rootEmail, message, id });
  }
}

/** Returns whether another message may fare better right now. */
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
    const tell = (content: string, code: LogEvent["code"]) => {
      const event = { code, values: { ...values, tries: attempts, said: failure.message } };
      return writeLog(transaction, { created_at: now, type: LOG_TYPE.system, content, event });
    };
    if (waitSeconds === undefined) {
      await removeMessage(transaction, id);
      await tell(`The message ${what} is given up after ${attempts} tries. ${failure.message}`, "message-given-up");
      return;
    }
    await postponeMessage(transaction, id, now + waitSeconds);
    // One row tells of a mail server that is away, however many messages wait for it; that an address is given up is told then.
    if (attempts === 1 && !isDelayed && !(await failsAlready(transaction, id)))
      await tell(
        `The message ${what} could not be sent; it is tried again, as are all others. ${failure.message}`,
        "message-postponed",
      );
  });
  return isDelayed || failure instanceof MailRefusedError;
}
