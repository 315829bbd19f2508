export { type ChannelHealth, createChannelHealth } from "./channel-health.ts";
export { createChannelSource } from "./channel-snapshot.ts";
export type { OtherChannel } from "./explain-choice.ts";
export {
  type Candidate,
  cooldownOf,
  findCandidates,
  PATH_NOT_SERVED,
  RoundRobin,
  type Tried,
  weighCandidates,
} from "./find-candidates.ts";
export { RetryBudget } from "./retry-budget.ts";
export { callableModels, MODELS_PATHS, retrieveModel } from "./list-models.ts";
export { createFindRefused, createFindUnpriced, createListPrices, createPriceOf } from "./list-prices.ts";
export { createForeseeShares } from "./shares/foresee-shares.ts";
export { createListShares } from "./shares/list-shares.ts";
export { nextRoute } from "./next-route.ts";
export { pinToStoredObjects, storedIdsIn } from "./pin-to-stored-objects.ts";
export { createChannelEvents, isOfKey, recordFailure, recordSuccess, recordUnanswered } from "./record-outcome.ts";
export { shouldTryAnother } from "./retry-policy.ts";
export {
  asServed,
  channelDisabled,
  createRoutePlans,
  isTooDear,
  type PricedCandidate,
  type RoutePlan,
} from "./route-plans.ts";
export type { RoutingServices } from "./routing-services.ts";
export { chooseAtRandom, chooseForConversation, chooseInTurn, poolModeOf, weigh } from "./select-channel.ts";
export { stickyKey } from "./sticky-key.ts";
export { createStoredObjects } from "./stored-objects.ts";
