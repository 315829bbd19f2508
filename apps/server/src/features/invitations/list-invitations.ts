import type { Invitation, listInvitations as listInvitationsCall } from "@one-api/contract/accounts/invitation";
import type { z } from "zod";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { placeOf } from "../../core/secrets.ts";
import { type Listed, pageOf } from "../../core/lists/list-page.ts";
import { countInvitations, listInvitationRows } from "./invitation.repository.ts";

export async function listInvitations(
  { database: { db }, clock, secrets }: CallContext,
  query: z.output<typeof listInvitationsCall.query>,
): Promise<Listed<Invitation>> {
  const filter = { keyword: query.keyword, state: query.state, now: nowSeconds(clock) };
  const rows = await listInvitationRows(db, filter, pageOf(query));
  const invitations = rows.map(({ code_cipher, created_by, used_by, ...rest }) => ({
    ...rest,
    code: secrets.open("invitation", code_cipher, placeOf("invitations", rest.id, rest.name)),
    created_by: created_by ?? "",
    used_by: used_by ?? "",
  }));
  return { rows: invitations, total: await countInvitations(db, filter) };
}
