import type { readInvitation as readInvitationCall } from "@one-api/contract/accounts/registration";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { findOpenInvitation } from "../invitations/index.ts";

/** Throws `invitation-wrong` if the invitation is used, expired or unknown. */
export async function readInvitation(
  context: CallContext,
  options: OptionStore,
  code: string,
): Promise<z.output<typeof readInvitationCall.data>> {
  const { invited_by, expires_at, quota } = await findOpenInvitation(context, code);
  return { invited_by: invited_by ?? "", expires_at, quota: quota + options.number("QuotaForNewUser") };
}
