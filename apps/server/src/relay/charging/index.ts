export type { ChargingServices } from "./charging-services.ts";
export { makeCheckpoint } from "./make-checkpoint.ts";
export {
  completed,
  describeOutcome,
  endOfError,
  type Interruption,
  mediaSoFar,
  nameOf,
  type Outcome,
  paysPrompt,
  resultOf,
  streamUnbooked,
  undelivered,
} from "./outcome.ts";
export { requestUpperBound, type Reservation, reserve, reserveAmount } from "./reserve.ts";
export type { ReservedRequest } from "./reserved-request.ts";
export { settle } from "./settle.ts";
export { gatewayMs } from "./to-ended-request.ts";
