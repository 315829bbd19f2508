import {
  type Channel,
  CHANNEL_STATUS,
  type CreateChannelInput,
  DEFAULT_AZURE_API_VERSION,
  type UpdateChannelInput,
} from "@one-api/contract/channel";
import { AZURE_TYPE } from "@one-api/contract/channel-types";
import { joinList, stripTrailingSlashes } from "@one-api/contract/fields";
import { assembleConfig, assembleKey } from "./channel-config.ts";
import type { ChannelValues } from "./channel-values.ts";

function wholeNumber(value: number | string): number | undefined {
  return typeof value === "number" ? Math.trunc(value) : undefined;
}

function otherOf({ type, other }: ChannelValues): string {
  const text = other.trim();
  return type === AZURE_TYPE && text === "" ? DEFAULT_AZURE_API_VERSION : text;
}

/** All fields of the channel but id, key and state. An empty priority or weight is left out: it stays as it is. */
function fieldsOf(values: ChannelValues, storedConfig: string) {
  const priority = wholeNumber(values.priority);
  const weight = wholeNumber(values.weight);
  return {
    type: values.type,
    name: values.name.trim(),
    base_url: stripTrailingSlashes(values.base_url.trim()),
    other: otherOf(values),
    models: joinList(values.models),
    group: joinList(values.group),
    model_mapping: values.model_mapping.trim(),
    system_prompt: values.system_prompt,
    organization: values.organization.trim(),
    soft_limit_usd: wholeNumber(values.soft_limit_usd) ?? 0,
    calc_prompt: values.calc_prompt,
    config: assembleConfig(values, storedConfig),
    ...(priority === undefined ? {} : { priority }),
    ...(weight === undefined ? {} : { weight: Math.max(0, weight) }),
  };
}

/** What creates the channel, or one channel per line of the key. */
export function createChannelPayload(values: ChannelValues): CreateChannelInput {
  const status = values.isReserve ? CHANNEL_STATUS.reserve : CHANNEL_STATUS.enabled;
  return { ...fieldsOf(values, ""), key: assembleKey(values), status };
}

/** What saves a stored channel: all of it, with an empty key where the stored one stays. */
export function updateChannelPayload(values: ChannelValues, channel: Channel): UpdateChannelInput {
  return { id: channel.id, ...fieldsOf(values, channel.config), key: assembleKey(values) };
}
