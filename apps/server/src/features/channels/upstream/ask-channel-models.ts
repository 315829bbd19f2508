import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelConfig } from "@one-api/contract/channels/channel-json";
import type { askChannelModels as call } from "@one-api/contract/channels/channel-models";
import { channelTypeInfo, isChannelType, movesAway } from "@one-api/contract/channels/channel-types";
import { hideProxyLogin } from "@one-api/contract/channels/channel-proxy";
import type { z } from "zod";
import { AppError } from "../../../core/app-error.ts";
import { recordAudit } from "../../../core/audit.ts";
import type { CallContext } from "../../../core/call-context.ts";
import { checkBaseUrl } from "../base-url.policy.ts";
import { hideSecrets, parseConfig, splitConfig } from "../channel-config.ts";
import type { ChannelDependencies } from "../channel-dependencies.ts";
import { configOfKey, readKeys } from "../channel-key.policy.ts";
import { checkProxy } from "../channel-proxy.ts";
import { channelNotFound, checkRegion, keyNeeded } from "../channel.policy.ts";
import { type ChannelForRelay, loadChannelForRelay } from "../load-channels-for-relay.ts";
import { askModels } from "./ask-models.ts";

type Input = z.output<typeof call.body>;
type Dependencies = Pick<ChannelDependencies, "modelListOf" | "getJsonThrough">;

const TIMEOUT_MS = 15_000;

/**
 * Requests a provider's models with a form's values. The stored key is sent only to the stored address.
 * Throws `channel-not-found`, refusals of the input, `channel-models-not-offered` and
 * `channel-models-failed`.
 */
export async function askChannelModels(context: CallContext, deps: Dependencies, input: Input): Promise<string[]> {
  const { id, type } = input;
  const stored = id === 0 ? undefined : await loadChannelForRelay(context.database.db, context.secrets, id);
  const proxy = proxyOf(input.proxy, stored);
  const query = isChannelType(type) ? deps.modelListOf(type, proxy) : undefined;
  if (query === undefined) {
    const label = channelTypeInfo(type)?.label ?? `type ${type}`;
    const message = `Channels of ${label} offer no list of models. Look them up at the provider.`;
    throw new AppError("channel-models-not-offered", message, { values: { type: label } });
  }
  checkBaseUrl(type, input.base_url ?? "");
  if (id !== 0 && stored === undefined) throw channelNotFound(id);
  const connection = connectionOf(input, stored);
  const detail = { type, base_url: connection.baseUrl };
  const object = id === 0 ? "channels" : `channel:${id}`;
  await recordAudit(context.database.db, context, { action: "channel.ask-models", object, detail });
  try {
    return await askModels(query, connection, deps.getJsonThrough(proxy), TIMEOUT_MS);
  } catch (error) {
    const message = error instanceof Error ? error.message : "The provider could not be asked.";
    const cleaned = hideSecrets(message, connection);
    throw new AppError("channel-models-failed", cleaned, { values: { message: cleaned } });
  }
}

function proxyOf(typed: string | undefined, stored: ChannelForRelay | undefined): string {
  if (stored !== undefined && (typed === undefined || typed === hideProxyLogin(stored.proxy))) return stored.proxy;
  checkProxy(typed ?? "");
  return typed ?? "";
}

function connectionOf(input: Input, stored: ChannelForRelay | undefined): ChannelConnection {
  const { type, other = "", organization = "" } = input;
  const baseUrl = input.base_url ?? "";
  const [typed = ""] = readKeys(type, input.key ?? "");
  const moves =
    stored === undefined ||
    movesAway({ type: stored.type, base_url: stored.connection.baseUrl }, { type, base_url: baseUrl });
  if (typed === "" && stored === undefined)
    throw new AppError("invalid-input", "Fill in the channel key.", { field: "key" });
  if (typed === "" && moves) throw keyNeeded(stored?.type !== type);
  const storedSecrets: ChannelConfig = moves ? {} : splitConfig(stored.connection.config).secret;
  const config = { ...storedSecrets, ...withoutEmpty(parseConfig(input.config ?? "")), ...configOfKey(type, typed) };
  checkRegion(config.region);
  return { baseUrl, key: typed === "" ? (stored?.connection.key ?? "") : typed, organization, other, config };
}

function withoutEmpty(config: ChannelConfig): ChannelConfig {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== ""));
}
