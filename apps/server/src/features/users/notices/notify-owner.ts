import type { Binding } from "@one-api/contract/accounts/binding";
import { type CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { type AccountChange, accountMail, mailIsSetUp, queueMessage } from "../../mail/index.ts";
import { isWithinLimit } from "../../verification/index.ts";
import { findContact } from "../account.repository.ts";

/** Mails of one kind to one owner. Repeated changes must not fill the mailbox or the outbox. */
const LIMIT = { most: 5, windowSeconds: 3600 } as const;

interface SignInChange {
  readonly userId: number;
  readonly change: AccountChange;
  readonly subject?: string;
  /** Previous address of the account, which is notified too. */
  readonly formerEmail?: string | undefined;
}

/**
 * Queues a mail to the account's owner in the transaction of the change, in the owner's language.
 * Does nothing without mail or an address: the audit trail has the change.
 */
export async function notifyOwner(
  transaction: Queryable,
  context: CallContext,
  options: OptionStore,
  { userId, change, subject = "", formerEmail = "" }: SignInChange,
): Promise<void> {
  if (!mailIsSetUp(options)) return;
  const owner = await findContact(transaction, userId);
  if (owner === undefined) return;
  const recipients = [...new Set([owner.email, formerEmail])].filter((email) => email !== "");
  if (recipients.length === 0) return;
  const at = nowSeconds(context.clock);
  if (!(await isWithinLimit(transaction, { subject: `told:${change}:${userId}`, ...LIMIT }, at))) return;
  const { actor } = context;
  const isOwn = actor === undefined || actor.id === userId;
  const server = options.text("ServerAddress");
  const facts = {
    username: owner.username,
    change,
    subject,
    at,
    address: isOwn ? context.address : "",
    settingsLink: server === "" ? "" : `${server}/setting`,
  };
  const message = accountMail(options.text("SystemName"), facts, owner.language);
  for (const recipient of recipients) await queueMessage(transaction, { recipient, message, at });
}

/** Notifies the owner of a removed binding. `email` is the account's address before the change. */
export async function notifyOfUnbinding(
  transaction: Queryable,
  context: CallContext,
  options: OptionStore,
  { userId, binding, email }: { readonly userId: number; readonly binding: Binding; readonly email: string },
): Promise<void> {
  const subject = binding === "email" ? email : nameOfProvider(options, binding);
  await notifyOwner(transaction, context, options, { userId, change: "unbound", subject, formerEmail: email });
}

export function nameOfProvider(options: OptionStore, binding: Exclude<Binding, "email">): string {
  switch (binding) {
    case "github":
      return "GitHub";
    case "lark":
      return "Lark";
    case "wechat":
      return "WeChat";
    case "oidc":
      return options.text("OidcButtonLabel") || "OpenID Connect";
  }
}
