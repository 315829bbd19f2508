export { RelayedRequest } from "./relayed-request.ts";
export type { RequestServices } from "./request-services.ts";
