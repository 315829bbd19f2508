import type { Configuration, ConfigurationChange } from "@one-api/contract/configuration/configuration";
import { AppError } from "../../core/app-error.ts";
import type { CallContext } from "../../core/call-context.ts";
import { inTransaction, joinTransaction } from "../../core/transaction.ts";
import type { GroupBudgetDeps } from "../budgets/index.ts";
import type { ChannelDependencies } from "../channels/index.ts";
import type { OptionCallDeps } from "../options/index.ts";
import { applyChannels } from "./apply-channels.ts";
import { applyGroupBudgets } from "./apply-group-budgets.ts";
import { applyOptions } from "./apply-options.ts";

export interface ConfigurationDeps extends OptionCallDeps {
  readonly cooldowns: ChannelDependencies["cooldowns"];
  readonly ledger: GroupBudgetDeps["ledger"];
}

interface Applied {
  readonly changes: ConfigurationChange[];
  readonly freshStarts: readonly number[];
}

/** Ends a transaction without its changes. */
class RolledBack extends Error {
  readonly applied: Applied;

  constructor(applied: Applied) {
    super("The plan is rolled back.");
    this.applied = applied;
  }
}

/** Returns what the configuration would change: it is applied and rolled back, so a plan has the refusals of `applyConfiguration`. */
export async function planConfiguration(
  context: CallContext,
  deps: ConfigurationDeps,
  configuration: Configuration,
): Promise<ConfigurationChange[]> {
  try {
    return await inTransaction(context.database, async (transaction) => {
      const joined = withoutFeed({ ...context, database: joinTransaction(context.database, transaction) });
      throw new RolledBack(await apply(joined, deps, configuration));
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.applied.changes;
    throw error;
  }
}

/** Applies the configuration in one transaction and returns what it changed. Throws `configuration-deletes`, and the refusals of channels and options. */
export async function applyConfiguration(
  context: CallContext,
  deps: ConfigurationDeps,
  { configuration, allowDeletions }: { readonly configuration: Configuration; readonly allowDeletions: boolean },
): Promise<ConfigurationChange[]> {
  const { changes, freshStarts } = await inTransaction(context.database, async (transaction) => {
    const joined = withoutFeed({ ...context, database: joinTransaction(context.database, transaction) });
    const applied = await apply(joined, deps, configuration);
    if (!allowDeletions) refuseDeletions(applied.changes);
    return applied;
  });
  for (const id of freshStarts) deps.cooldowns.forget(id);
  await deps.options.reload();
  context.changes.announce("options");
  context.changes.announce("channels");
  context.changes.announce("users");
  return changes;
}

async function apply(context: CallContext, deps: ConfigurationDeps, configuration: Configuration): Promise<Applied> {
  const { db } = context.database;
  // First, as it locks the options: configurations are applied one after another.
  const options = await applyOptions(db, context, deps, configuration);
  const { group_budgets: budgets, channels: wanted } = configuration;
  const first =
    budgets === undefined ? options : [...options, ...(await applyGroupBudgets(db, context, deps, budgets))];
  if (wanted === undefined) return { changes: first, freshStarts: [] };
  const { changes, freshStarts } = await applyChannels(db, context, deps, wanted);
  return { changes: [...first, ...changes], freshStarts };
}

/** Caches are notified after the commit. */
function withoutFeed(context: CallContext): CallContext {
  return { ...context, changes: { announce: () => undefined, subscribe: () => () => false } };
}

function refuseDeletions(changes: readonly ConfigurationChange[]): void {
  const names = changes
    .filter(({ action }) => action === "delete")
    .map(({ object }) => object.replace(/^channel:/, ""));
  if (names.length === 0) return;
  const list = names.join(", ");
  const message = `The document does not name these channels, which would be deleted: ${list}. Add them, or allow deletions.`;
  throw new AppError("configuration-deletes", message, { field: "allow_deletions", values: { names: list } });
}
