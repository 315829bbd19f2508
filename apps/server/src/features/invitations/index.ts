export { registerInvitationCalls } from "./invitation.routes.ts";
export { setInvited } from "./invitation.repository.ts";
export { checkInvited, lookupOfInvitation, consumeInvitation } from "./consume-invitation.ts";
