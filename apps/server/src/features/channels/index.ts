export { disableChannelAutomatically } from "./change-channel-automatically.ts";
export type {
  BalanceQuery,
  ChannelDependencies,
  ChannelSleep,
  ListShares,
  ProbeChannel,
} from "./channel-dependencies.ts";
export type { ChannelForRelay } from "./channel-for-relay.ts";
export { registerChannelCalls } from "./channel.routes.ts";
export { listServedModels } from "./channel.repository.ts";
export { loadChannelForRelay, loadChannelsForRelay } from "./load-channels-for-relay.ts";
