import {
  getDashboard,
  getOwnDashboard,
  getTroubles,
  listUsageOfDays as listUsageOfDaysCall,
} from "@one-api/contract/usage/dashboard";
import { requireActor } from "../../core/call-context.ts";
import type { CallRegistry } from "../../core/call-registry.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { AppError } from "../../core/app-error.ts";
import type { ChannelSleep } from "../channels/index.ts";
import { findUserIdOf } from "../users/index.ts";
import { listTroubles } from "./list-troubles.ts";
import { listUsageOfDays } from "./list-usage-of-days.ts";
import { readDashboard } from "./read-dashboard.ts";

/** Nobody, where there is no user of that name: no id is below 1. */
const NOBODY = -1;

function ofOneUserAlone(field: "model_name" | "token_name"): AppError {
  return new AppError("invalid-input", `${field} is of one user: name user or username too, or use key.`, { field });
}

interface DashboardDependencies {
  readonly options: OptionStore;
  readonly sleep: ChannelSleep;
}

/** Hands in the calls of the dashboard. */
export function registerDashboardCalls(registry: CallRegistry, deps: DashboardDependencies): void {
  registry.register(getDashboard, async ({ context, query: { user, username, ...query } }) => {
    const userId = username === "" ? user : ((await findUserIdOf(context.database.db, username)) ?? NOBODY);
    if (userId === 0 && query.model_name !== "") throw ofOneUserAlone("model_name");
    if (userId === 0 && query.token_name !== "") throw ofOneUserAlone("token_name");
    return readDashboard(context.database, { ...query, userId, forAdmin: true });
  });
  registry.register(getOwnDashboard, ({ context, query }) =>
    readDashboard(context.database, { ...query, userId: requireActor(context).id, forAdmin: false }),
  );
  registry.register(listUsageOfDaysCall, ({ context }) => listUsageOfDays(context));
  registry.register(getTroubles, ({ context }) => listTroubles(context, deps));
}
