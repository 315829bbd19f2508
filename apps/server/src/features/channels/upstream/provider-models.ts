import { joinList } from "@one-api/contract/texts";
import type { CallContext } from "../../../core/call-context.ts";
import type { Queryable } from "../../../core/transaction.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import { changeChannel } from "../channel.repository.ts";
import { type ChannelForRelay, loadChannelForRelay } from "../load-channels-for-relay.ts";
import { askModels } from "./ask-models.ts";

export type ModelListDependencies = Pick<ChannelDependencies, "modelListOf" | "getJsonThrough" | "log">;

export type ListedModels =
  | { readonly channel: ChannelForRelay; readonly models: readonly string[] }
  | "failed"
  | "not-asked";

/** Requests the provider's list of models within `timeoutMs`. A failure is logged. */
export async function askProvider(
  context: CallContext,
  deps: ModelListDependencies,
  id: number,
  timeoutMs: number,
): Promise<ListedModels> {
  try {
    const channel = await loadChannelForRelay(context.database.db, context.secrets, id);
    const query = channel === undefined ? undefined : deps.modelListOf(channel.type, channel.proxy);
    if (channel === undefined || query === undefined) return "not-asked";
    if (timeoutMs <= 0) return "failed";
    return {
      channel,
      models: await askModels(query, channel.connection, deps.getJsonThrough(channel.proxy), timeoutMs),
    };
  } catch (error) {
    deps.log.info(
      { channelId: id, reason: error instanceof Error ? error.name : "" },
      "a provider returned no list of models",
    );
    return "failed";
  }
}

/** Stores a provider's list of models for the channel's form. The channel's own models never change. */
export async function storeProviderModels(queryable: Queryable, id: number, models: readonly string[]): Promise<void> {
  await changeChannel(queryable, id, { provider_models: joinList(models) });
}
