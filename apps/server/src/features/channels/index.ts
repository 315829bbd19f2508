export { disableChannelAutomatically, enableChannelAutomatically } from "./change-channel-automatically.ts";
export {
  type BalanceQuery,
  type ChannelDependencies,
  type ChannelSleep,
  type ListShares,
  noChannelSleep,
  type ProbeChannel,
  type ProbeOutcome,
  type SleepingModel,
} from "./channel-dependencies.ts";
export type { ChannelConnection, ChannelForRelay } from "./channel-for-relay.ts";
export { registerChannelCalls } from "./channel.routes.ts";
export { listServedModels } from "./channel.repository.ts";
export { loadChannelForRelay, loadChannelsForRelay } from "./load-channels-for-relay.ts";
