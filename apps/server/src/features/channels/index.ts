export {
  type AutomaticContext,
  type ChannelReason,
  disableChannelAutomatically,
  makeChannelDormant,
  refusalIn,
  setHint,
} from "./automatic/change-channel-automatically.ts";
export { disableSpentChannels } from "./automatic/disable-spent-channels.ts";
export { type CheckDependencies, runChecks } from "./checks/run-checks.ts";
export { listNewestDecisions, recordDecision } from "./decisions/decision.repository.ts";
export { type ChannelOverrides, type OverrideTerms, tierIn, type TierFields } from "./overrides/read-overrides.ts";
export { disableKeyAutomatically } from "./keys/change-key-automatically.ts";
export { sealKeys } from "./keys/channel-keys.ts";
export { insertKeys } from "./keys/key.repository.ts";
export { restockChannels } from "./automatic/restock-channels.ts";
export type {
  BalanceQuery,
  ChannelDependencies,
  ChannelCooldowns,
  CheapestModel,
  ListShares,
  ModelListQuery,
  ProbeChannel,
  ProbeUsage,
} from "./channel-dependencies.ts";
export { listTroubledChannels } from "./list-troubled-channels.ts";
export { readDialectUrls, readModelMapping } from "./channel-config.ts";
export { registerChannelCalls } from "./channel.routes.ts";
export { countChannelsByStatus, nameChannels, suggestChannels } from "./channel-list.repository.ts";
export { MAX_INDEX_ROWS } from "./channel.policy.ts";
export { openConfig, parseConfig, splitConfig } from "./channel-config.ts";
export { configOfKey } from "./channel-key.policy.ts";
export { openProxy } from "./channel-proxy.ts";
export { describeChanges } from "./channel.present.ts";
export { checkNewChannels, type CheckedChannel, createChannel, sealChannel } from "./create-channel.ts";
export { hasChannelFor, indexChannels, listModelsServedTo } from "./channel-models.repository.ts";
export { insertChannel, listSealedChannels, listServedModels } from "./channel.repository.ts";
export {
  type ChannelDeadlines,
  type ChannelForRelay,
  loadChannelForRelay,
  type ChannelKeyForRelay,
  listRowsForRelay,
  loadChannelsForRelay,
  toChannelsForRelay,
} from "./load-channels-for-relay.ts";
export type { SealedChannelRow } from "./channel.repository.ts";
export { shareChannels } from "./share-channels.ts";
export { deleteChannel } from "./delete-channel.ts";
export { type ChannelEditing, type ChannelEditInput, editInTransaction } from "./update-channel.ts";
