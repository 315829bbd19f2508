import { getDashboard, getOwnDashboard, getTroubles } from "@one-api/contract/dashboard";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { ChannelSleep } from "../channels/index.ts";
import { listTroubles } from "./list-troubles.ts";
import { readDashboard } from "./read-dashboard.ts";

interface DashboardDependencies {
  readonly options: OptionStore;
  readonly sleep: ChannelSleep;
}

/** Hands in the calls of the dashboard. */
export function registerDashboardCalls(registry: CallRegistry, deps: DashboardDependencies): void {
  registry.register(getDashboard, ({ context, query: { user, ...query } }) =>
    readDashboard(context.database, { ...query, userId: user, forAdmin: true }),
  );
  registry.register(getOwnDashboard, ({ context, query }) =>
    readDashboard(context.database, { ...query, userId: requireActor(context).id, forAdmin: false }),
  );
  registry.register(getTroubles, ({ context }) => listTroubles(context, deps));
}
