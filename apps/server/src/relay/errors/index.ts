export { answerForFailure } from "./answer-for-failure.ts";
export { NotSettledError } from "./not-settled-error.ts";
export { RelayError, UPSTREAM_OVERLOADED } from "./relay-error.ts";
export { toRelayError } from "./to-relay-error.ts";
export { upstreamFailed, UpstreamFailedError } from "./upstream-failed-error.ts";
