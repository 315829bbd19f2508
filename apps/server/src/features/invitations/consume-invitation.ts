import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { Queryable } from "../../core/transaction.ts";
import { markInvitationUsed } from "./invitation.repository.ts";

/** What an invitation gives to who signs up with it. */
interface Welcome {
  /** 0 for none. */
  readonly id: number;
  /** Comma-separated; empty means default. */
  readonly group: string;
  readonly quota: number;
}

/** What is kept of a code between the moment that somebody brings it and the sign-up; empty for none. */
export function lookupOfInvitation({ secrets }: Pick<CallContext, "secrets">, code: string): string {
  return code === "" ? "" : secrets.lookup(code);
}

/** Throws `invitation-missing` where people sign up by invitation only and bring none. */
export function checkInvited(options: OptionStore, lookup: string): void {
  if (lookup !== "" || !options.flag("InvitationRequired")) return;
  throw new AppError("invitation-missing", "One signs up here by invitation only. Open the link of your invitation.", {
    field: "invitation",
  });
}

/**
 * Uses the invitation in the transaction of the sign-up, which must note who signed up with it: of many who bring it at once, one gets it,
 * and a sign-up that fails gives it back. Throws `invitation-wrong` when it is used, expired or none.
 */
export async function consumeInvitation(
  transaction: Queryable,
  context: CallContext,
  lookup: string,
): Promise<Welcome> {
  if (lookup === "") return { id: 0, group: "", quota: 0 };
  const invitation = await markInvitationUsed(transaction, lookup, nowSeconds(context.clock));
  if (invitation !== undefined) return invitation;
  throw new AppError("invitation-wrong", "This invitation was used or has expired. Ask for a new one.", {
    field: "invitation",
  });
}
