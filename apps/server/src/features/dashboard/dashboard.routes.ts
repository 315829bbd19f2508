import {
  compareAlias as compareAliasCall,
  getDashboard,
  getDashboardMarks,
  getHoursOfWeek,
  getOwnDashboard,
  getOwnHoursOfWeek,
  getTroubles,
  listUsageOfDays as listUsageOfDaysCall,
} from "@one-api/contract/usage/dashboard";
import { splitList } from "@one-api/contract/texts";
import { listUserSpend as listUserSpendCall } from "@one-api/contract/usage/user-spend";
import { type CallContext, requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { NO_USAGE_FILTER, type UsageFilter } from "@one-api/log-store/questions";
import type { ChannelCooldowns } from "../channels/index.ts";
import { findUserIdOf } from "../users/index.ts";
import { createModelAliases } from "../model-aliases/index.ts";
import type { FindRefused } from "../pricing/index.ts";
import { compareAlias } from "./compare-alias.ts";
import { listHoursOfWeek } from "./list-hours-of-week.ts";
import { listMarks } from "./list-marks.ts";
import { listTroubles } from "./list-troubles.ts";
import { listUsageOfDays } from "./list-usage-of-days.ts";
import { listUserSpend } from "./list-user-spend.ts";
import { readDashboard } from "./read-dashboard.ts";

/** Matches no user, as ids begin at 1. */
const NO_USER = -1;

interface DashboardDependencies {
  readonly options: OptionStore;
  readonly cooldowns: ChannelCooldowns;
  readonly findRefused: FindRefused;
}

interface Scope {
  readonly model_name: string;
  readonly token_name: string;
  readonly alias: string;
}

interface AdminScope extends Scope {
  readonly channel: number;
  readonly user: number;
  readonly username: string;
}

async function filterOf(context: CallContext, scope: AdminScope): Promise<UsageFilter> {
  const { user, username, model_name: modelName, token_name: tokenName, channel: channelId, alias } = scope;
  const userId = username === "" ? user : ((await findUserIdOf(context.database.db, username)) ?? NO_USER);
  return { userId, modelName, tokenName, channelId, alias };
}

function ownFilterOf(
  context: CallContext,
  { model_name: modelName, token_name: tokenName, alias }: Scope,
): UsageFilter {
  return { ...NO_USAGE_FILTER, userId: requireActor(context).id, modelName, tokenName, alias };
}

export function registerDashboardCalls(registry: CallRegistry, deps: DashboardDependencies): void {
  registry.register(getDashboard, async ({ context, query }) => {
    const filter = await filterOf(context, query);
    return readDashboard(context, { ...query, filter, isOwn: false, forAdmin: true });
  });
  registry.register(getOwnDashboard, ({ context, query }) => {
    const filter = ownFilterOf(context, query);
    return readDashboard(context, { ...query, filter, isOwn: true, forAdmin: false });
  });
  registry.register(getHoursOfWeek, async ({ context, query }) =>
    listHoursOfWeek(context, await filterOf(context, query), query),
  );
  registry.register(getOwnHoursOfWeek, ({ context, query }) =>
    listHoursOfWeek(context, ownFilterOf(context, query), query),
  );
  const aliases = createModelAliases(deps.options);
  registry.register(compareAliasCall, async ({ context, query }) =>
    compareAlias(context, aliases, await filterOf(context, query), query),
  );
  registry.register(getDashboardMarks, ({ context, query }) => listMarks(context, query));
  registry.register(listUsageOfDaysCall, ({ context }) => listUsageOfDays(context));
  registry.register(listUserSpendCall, ({ context, query }) =>
    listUserSpend(context, splitList(query.ids).map(Number), query.edges),
  );
  registry.register(getTroubles, ({ context }) => listTroubles(context, deps));
}
