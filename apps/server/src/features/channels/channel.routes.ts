import * as calls from "@one-api/contract/channels/channel";
import * as testCalls from "@one-api/contract/channels/channel-tests";
import * as bulkCalls from "@one-api/contract/channels/channel-bulk";
import * as decisionCalls from "@one-api/contract/channels/channel-decision";
import { askChannelModels as askModelsCall } from "@one-api/contract/channels/channel-models";
import * as keyCalls from "@one-api/contract/channels/channel-keys";
import { foreseeChannelsOff as foreseeCall } from "@one-api/contract/channels/channel-effect";
import { getChannelMatrix } from "@one-api/contract/channels/channel-matrix";
import { listChannelShares } from "@one-api/contract/channels/channel-share";
import * as trafficCalls from "@one-api/contract/usage/channel-traffic";
import type { CallRegistry } from "../../core/call-registry.ts";
import { answerList } from "../../core/lists/list-page.ts";
import { changeChannels } from "./bulk/change-channels.ts";
import { copyChannel } from "./bulk/copy-channel.ts";
import type { ChannelDependencies } from "./channel-dependencies.ts";
import { createChannel } from "./create-channel.ts";
import { addChannelKeys, deleteChannelKey, listChannelKeys, updateChannelKey } from "./keys/channel-keys.ts";
import { listDecisions, undoDecision, wakeChannel } from "./decisions/channel-decisions.ts";
import { deleteChannel, deleteChannels, deleteDisabledChannels } from "./delete-channel.ts";
import { foreseeChannelsOff } from "./foresee-channels-off.ts";
import {
  getChannel,
  listChannelGroups,
  listChannels,
  listChannelTags,
  listMatchingChannelIds,
  searchChannels,
} from "./list-channels.ts";
import { readChannelTimes } from "./traffic/read-channel-times.ts";
import { readChannelTraffic } from "./traffic/read-channel-traffic.ts";
import { readChannelMatrix } from "./traffic/read-channel-matrix.ts";
import { createDayOfModels, createDayTraffic } from "./traffic/read-day-traffic.ts";
import { askChannelModels } from "./upstream/ask-channel-models.ts";
import { testChannel } from "./upstream/test-channel.ts";
import { createChannelTestRuns } from "./upstream/test-channels.ts";
import { updateAbilities } from "./upstream/update-abilities.ts";
import { createBalanceRuns, updateChannelBalance } from "./upstream/update-channel-balance.ts";
import { updateChannelKeyBalance } from "./upstream/update-key-balances.ts";
import { updateChannel } from "./update-channel.ts";

export function registerChannelCalls(registry: CallRegistry, deps: ChannelDependencies): void {
  registerReading(registry, deps);
  registerListing(registry, deps);
  registerChanging(registry, deps);
  registerKeys(registry, deps);
  registerBulk(registry, deps);
  registerDecisions(registry, deps);
  registerTesting(registry, deps);
}

function registerReading(registry: CallRegistry, { cooldowns, listShares }: ChannelDependencies): void {
  registry.register(calls.getChannel, async ({ context, params }) => getChannel(context, cooldowns, params.id));
  registry.register(foreseeCall, ({ context, query }) => foreseeChannelsOff(context, query.ids.split(",").map(Number)));
  const readModels = createDayOfModels();
  registry.register(getChannelMatrix, ({ context, query }) =>
    readChannelMatrix(context, { listShares, readModels }, query),
  );
  registry.register(listChannelShares, async ({ query }) => {
    const { model, group, channel, priority, weight } = query;
    return listShares(model, group, channel === undefined ? undefined : { channel, priority, weight });
  });
}

function registerListing(registry: CallRegistry, { cooldowns, statesOf }: ChannelDependencies): void {
  const readDay = createDayTraffic();
  const listing = { cooldowns, readDay };
  registry.register(calls.listChannels, async ({ context, query, setTotal }) =>
    answerList(await listChannels(context, listing, query), setTotal),
  );
  registry.register(calls.searchChannels, async ({ context, query, setTotal }) =>
    answerList(await searchChannels(context, listing, query), setTotal),
  );
  registry.register(trafficCalls.listChannelGroups, ({ context, query }) => listChannelGroups(context, listing, query));
  registry.register(trafficCalls.listChannelTraffic, async ({ context }) => {
    const { to, channels } = await readDay(context);
    return { to, channels: [...channels] };
  });
  registry.register(trafficCalls.getChannelTraffic, ({ context, params, query }) =>
    readChannelTraffic(context, { statesOf }, params.id, query.days),
  );
  registry.register(trafficCalls.getChannelTimes, ({ context, params, query }) =>
    readChannelTimes(context, params.id, query.days),
  );
}

function registerChanging(registry: CallRegistry, deps: ChannelDependencies): void {
  registry.register(calls.createChannel, async ({ context, body }) => ({ ids: await createChannel(context, body) }));
  registry.register(calls.updateChannel, async ({ context, body }) => updateChannel(context, deps, body));
  registry.register(calls.deleteChannel, async ({ context, params }) => {
    await deleteChannel(context, params.id);
    return null;
  });
  registry.register(calls.deleteDisabledChannels, async ({ context }) => deleteDisabledChannels(context));
  registry.register(calls.updateAbilities, ({ context }) => updateAbilities(context, deps));
}

function registerKeys(registry: CallRegistry, deps: ChannelDependencies): void {
  const { cooldowns } = deps;
  registry.register(keyCalls.listChannelKeys, ({ context, params }) => listChannelKeys(context, cooldowns, params.id));
  registry.register(keyCalls.addChannelKeys, ({ context, params, body }) =>
    addChannelKeys(context, cooldowns, params.id, body),
  );
  registry.register(keyCalls.updateChannelKey, ({ context, params, body }) =>
    updateChannelKey(context, cooldowns, { channelId: params.id, keyId: params.key }, body),
  );
  registry.register(keyCalls.updateChannelKeyBalance, ({ context, params }) =>
    updateChannelKeyBalance(context, deps, { channelId: params.id, keyId: params.key }),
  );
  registry.register(keyCalls.deleteChannelKey, ({ context, params }) =>
    deleteChannelKey(context, cooldowns, { channelId: params.id, keyId: params.key }),
  );
}

function registerBulk(registry: CallRegistry, deps: ChannelDependencies): void {
  registry.register(bulkCalls.listChannelIds, ({ context, query }) =>
    listMatchingChannelIds(context, deps.cooldowns, query),
  );
  registry.register(bulkCalls.listChannelTags, ({ context }) => listChannelTags(context));
  registry.register(bulkCalls.changeChannels, ({ context, body }) => changeChannels(context, deps, body.changes));
  registry.register(bulkCalls.deleteChannels, ({ context, body }) => deleteChannels(context, body.ids));
  registry.register(bulkCalls.copyChannel, async ({ context, params }) => ({
    id: await copyChannel(context, params.id),
  }));
}

function registerDecisions(registry: CallRegistry, deps: ChannelDependencies): void {
  registry.register(decisionCalls.listChannelDecisions, async ({ context, params, query, setTotal }) =>
    answerList(await listDecisions(context, deps.cooldowns, params.id, query), setTotal),
  );
  registry.register(decisionCalls.undoChannelDecision, async ({ context, params }) => {
    await undoDecision(context, deps, params.id, params.decision);
    return null;
  });
  registry.register(decisionCalls.wakeChannel, async ({ context, params }) => {
    await wakeChannel(context, deps.cooldowns, params.id);
    return null;
  });
}

function registerTesting(registry: CallRegistry, deps: ChannelDependencies): void {
  const runs = createChannelTestRuns(deps);
  const balanceRuns = createBalanceRuns(deps);
  registry.register(testCalls.testChannel, async ({ context, params, query }) =>
    testChannel(context, deps.probeChannel, params.id, query.model),
  );
  registry.register(askModelsCall, async ({ context, body }) => ({
    models: await askChannelModels(context, deps, body),
  }));
  registry.register(testCalls.testChannels, async ({ context, query }) => {
    await runs.start(context, query.scope);
    return null;
  });
  registry.register(bulkCalls.testSelectedChannels, async ({ context, body }) => {
    await runs.start(context, body.ids);
    return null;
  });
  registry.register(testCalls.getChannelTestProgress, async () => runs.progress());
  registry.register(testCalls.stopChannelTests, ({ context }) => runs.stop(context));
  registry.register(calls.updateChannelBalances, async ({ context }) => {
    await balanceRuns.start(context);
    return null;
  });
  registry.register(calls.updateChannelBalance, async ({ context, params }) => ({
    balance: await updateChannelBalance(context, deps, params.id),
  }));
}
