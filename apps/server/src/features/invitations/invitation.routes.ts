import * as calls from "@one-api/contract/accounts/invitation";
import type { CallRegistry } from "../../core/call-registry.ts";
import { answerList } from "../../core/lists/list-page.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { createInvitations } from "./create-invitations.ts";
import { deleteInvitation } from "./delete-invitation.ts";
import { listInvitations } from "./list-invitations.ts";

export function registerInvitationCalls(registry: CallRegistry, options: OptionStore): void {
  registry.register(calls.listInvitations, async ({ context, query, setTotal }) =>
    answerList(await listInvitations(context, query), setTotal),
  );
  registry.register(calls.createInvitations, ({ context, body }) => createInvitations(context, options, body));
  registry.register(calls.deleteInvitation, async ({ context, params }) => {
    await deleteInvitation(context, params.id);
    return null;
  });
}
