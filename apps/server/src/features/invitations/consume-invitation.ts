import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { findOpenInvitationRow, markInvitationUsed } from "./invitation.repository.ts";

interface InvitationGrant {
  readonly id: number;
  readonly group: string;
  readonly quota: number;
}

/** Lookup value of a code, stored until the sign-up; empty for none. */
export function lookupOfInvitation({ secrets }: Pick<CallContext, "secrets">, code: string): string {
  return code === "" ? "" : secrets.lookup(code);
}

/** Throws `invitation-missing` if an invitation is required and absent. */
export function checkInvited(options: OptionStore, lookup: string): void {
  if (lookup !== "" || !options.flag("InvitationRequired")) return;
  throw new AppError("invitation-missing", "One signs up here by invitation only. Open the link of your invitation.", {
    field: "invitation",
  });
}

/**
 * Marks the invitation as used in the transaction of the sign-up. The caller records the user with
 * `setInvited`.
 * Throws `invitation-wrong` if it is used, expired or unknown.
 */
export async function consumeInvitation(
  transaction: Queryable,
  context: CallContext,
  lookup: string,
): Promise<InvitationGrant> {
  if (lookup === "") return { id: 0, group: "", quota: 0 };
  const invitation = await markInvitationUsed(transaction, lookup, nowSeconds(context.clock));
  if (invitation === undefined) throw invitationWrong();
  return invitation;
}

/** An unused invitation by its code. Throws `invitation-wrong` if it is used, expired or unknown. */
export async function findOpenInvitation(context: CallContext, code: string) {
  const lookup = lookupOfInvitation(context, code);
  const invitation = await findOpenInvitationRow(context.database.db, lookup, nowSeconds(context.clock));
  if (invitation === undefined) throw invitationWrong();
  return invitation;
}

function invitationWrong(): AppError {
  return new AppError("invitation-wrong", "This invitation was used or has expired. Ask for a new one.", {
    field: "invitation",
  });
}
