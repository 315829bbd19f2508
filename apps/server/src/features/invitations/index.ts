export { registerInvitationCalls } from "./invitation.routes.ts";
export { setInvited } from "./invitation.repository.ts";
export { checkInvited, lookupOfInvitation, useInvitation } from "./use-invitation.ts";
