export { disableChannelAutomatically } from "./automatic/change-channel-automatically.ts";
export type {
  BalanceQuery,
  ChannelDependencies,
  ChannelSleep,
  ListShares,
  ProbeChannel,
} from "./channel-dependencies.ts";
export { registerChannelCalls } from "./channel.routes.ts";
export { listModelsServedTo, listServedModels } from "./channel.repository.ts";
export { type ChannelForRelay, loadChannelForRelay, loadChannelsForRelay } from "./load-channels-for-relay.ts";
