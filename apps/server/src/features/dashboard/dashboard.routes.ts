import {
  getDashboard,
  getOwnDashboard,
  getTroubles,
  listUsageOfDays as listUsageOfDaysCall,
} from "@one-api/contract/usage/dashboard";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { ChannelCooldowns } from "../channels/index.ts";
import { findUserIdOf } from "../users/index.ts";
import { listTroubles } from "./list-troubles.ts";
import { listUsageOfDays } from "./list-usage-of-days.ts";
import { readDashboard } from "./read-dashboard.ts";

/** Matches no user, as ids begin at 1. */
const NO_USER = -1;

interface DashboardDependencies {
  readonly options: OptionStore;
  readonly cooldowns: ChannelCooldowns;
}

export function registerDashboardCalls(registry: CallRegistry, deps: DashboardDependencies): void {
  registry.register(getDashboard, async ({ context, query }) => {
    const { user, username, model_name: modelName, token_name: tokenName, channel: channelId } = query;
    const userId = username === "" ? user : ((await findUserIdOf(context.database.db, username)) ?? NO_USER);
    const filter = { userId, modelName, tokenName, channelId };
    return readDashboard(context, { ...query, filter, isOwn: false, forAdmin: true });
  });
  registry.register(getOwnDashboard, ({ context, query }) => {
    const { model_name: modelName, token_name: tokenName } = query;
    const filter = { userId: requireActor(context).id, modelName, tokenName, channelId: 0 };
    return readDashboard(context, { ...query, filter, isOwn: true, forAdmin: false });
  });
  registry.register(listUsageOfDaysCall, ({ context }) => listUsageOfDays(context));
  registry.register(getTroubles, ({ context }) => listTroubles(context, deps));
}
