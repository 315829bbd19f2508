export { registerInvitationCalls } from "./invitation.routes.ts";
export { setInvited } from "./invitation.repository.ts";
export { checkInvited, lookupOfInvitation, consumeInvitation, findOpenInvitation } from "./consume-invitation.ts";
