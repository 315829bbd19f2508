import type { Channel, ChannelConfig } from "@one-api/contract/channel";
import { splitList } from "@one-api/contract/fields";
import type { UseFormReturnType } from "@mantine/form";
import { parseConfig } from "./channel-config.ts";

/** What the channel form edits. Number fields hold a text while they are empty. */
export interface ChannelValues {
  type: number;
  name: string;
  /** Typed anew; a stored key never comes back. */
  key: string;
  /** One channel per line of the key. */
  isBatch: boolean;
  base_url: string;
  other: string;
  region: string;
  ak: string;
  sk: string;
  vertex_ai_project_id: string;
  vertex_ai_adc: string;
  user_id: string;
  models: string[];
  group: string[];
  model_mapping: string;
  system_prompt: string;
  organization: string;
  soft_limit_usd: number | string;
  calc_prompt: boolean;
  priority: number | string;
  weight: number | string;
  /** A new channel waits until restocking enables it. */
  isReserve: boolean;
}

/** The form's state, as its sections take it. */
export type ChannelFormState = UseFormReturnType<ChannelValues>;

const OPENAI_TYPE = 1;

/** Values of the form for a new channel. */
export function newChannelValues(): ChannelValues {
  return {
    type: OPENAI_TYPE,
    name: "",
    key: "",
    isBatch: false,
    base_url: "",
    other: "",
    ...configValues({}),
    models: [],
    group: ["default"],
    model_mapping: "",
    system_prompt: "",
    organization: "",
    soft_limit_usd: 0,
    calc_prompt: true,
    priority: 0,
    weight: 0,
    isReserve: false,
  };
}

/** Values of the form for a stored channel. */
export function storedChannelValues(channel: Channel): ChannelValues {
  const {
    type,
    name,
    base_url,
    other,
    model_mapping,
    system_prompt,
    organization,
    soft_limit_usd,
    calc_prompt,
    priority,
    weight,
  } = channel;
  return {
    ...newChannelValues(),
    type,
    name,
    base_url,
    other,
    model_mapping,
    system_prompt,
    organization,
    soft_limit_usd,
    calc_prompt,
    priority,
    weight,
    ...configValues(parseConfig(channel.config)),
    models: splitList(channel.models),
    group: splitList(channel.group),
  };
}

function configValues({
  region = "",
  ak = "",
  sk = "",
  vertex_ai_project_id = "",
  vertex_ai_adc = "",
  user_id = "",
}: ChannelConfig) {
  return { region, ak, sk, vertex_ai_project_id, vertex_ai_adc, user_id };
}
