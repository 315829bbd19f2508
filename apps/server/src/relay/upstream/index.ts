export { Attempt } from "./attempt.ts";
export type { AttemptListener, UpstreamAnswer } from "./attempt-listener.ts";
export { createPictureFetcher } from "./fetch-picture.ts";
export { hopHeaders, readHops } from "./hops.ts";
export { withHeaders } from "./override-headers.ts";
export {
  describeFailure,
  explainFailure,
  failureOfError,
  failureOfUncalled,
  isOfAccount,
  ALIAS_DEADLINE,
  UNPREPARED,
} from "./read-failure.ts";
export { Upstream } from "./upstream.ts";
export { createGetJson, createProviderIo, createSharedIo, currentProxy, type SharedIo } from "./upstream-client.ts";
export type { UpstreamServices } from "./upstream-services.ts";
export { waitsOf } from "./waits-of.ts";
