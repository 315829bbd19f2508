export { endRevoked } from "./end-revoked.ts";
export { type InFlightRequest, InFlightRequests, type RequestParties } from "./in-flight-requests.ts";
