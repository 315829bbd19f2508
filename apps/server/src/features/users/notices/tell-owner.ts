import type { Binding } from "@one-api/contract/accounts/binding";
import { type CallContext } from "../../../core/call-context.ts";
import { nowSeconds } from "../../../platform/clock.ts";
import type { OptionStore } from "../../../core/option-store.ts";
import type { Queryable } from "../../../core/transaction.ts";
import { type AccountChange, accountMail, mailIsSetUp, queueMessage } from "../../mail/index.ts";
import { isWithinLimit } from "../../verification/index.ts";
import { findContact } from "../account.repository.ts";

/** Mails of one kind to one owner: who changes something over and over must not fill a mailbox, nor the outbox before everybody else's mails. */
const LIMIT = { most: 5, windowSeconds: 3600 } as const;

/** What has changed about a way into an account. */
interface WayInChange {
  readonly userId: number;
  readonly change: AccountChange;
  /** The provider, the passkey or the address that it is about; no secret. */
  readonly subject?: string;
  /** The address that was the account's until now: it is told too. */
  readonly formerEmail?: string | undefined;
}

/**
 * Puts a mail into the outbox that tells an account's owner of the change, in the transaction of the change and in the language that they
 * read. Without mail or an address there is none: it stands in the audit trail.
 */
export async function tellOwner(
  transaction: Queryable,
  context: CallContext,
  options: OptionStore,
  { userId, change, subject = "", formerEmail = "" }: WayInChange,
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

/** Tells the owner that something was unbound; `email` is the account's address until now. */
export async function tellOfUnbinding(
  transaction: Queryable,
  context: CallContext,
  options: OptionStore,
  { userId, binding, email }: { readonly userId: number; readonly binding: Binding; readonly email: string },
): Promise<void> {
  const subject = binding === "email" ? email : nameOfProvider(options, binding);
  await tellOwner(transaction, context, options, { userId, change: "unbound", subject, formerEmail: email });
}

/** What people call a provider, as buttons do. */
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
