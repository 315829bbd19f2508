import { type ChannelTypeName, channelTypeInfo } from "@one-api/contract/channels/channel-types";
import storedModels from "./models.json" with { type: "json" };
import { modelSources } from "./model-sources.ts";

/** Generated from model-sources.ts by scripts/generate-models.ts. */
const stored: Readonly<Record<string, readonly string[]>> = storedModels;

const RESOLD: ChannelTypeName = "openai";

/** Returns the distinct models of a new channel, current ones first. Empty for a type without any. */
export function modelsOfType(type: number): readonly string[] {
  const info = channelTypeInfo(type);
  if (info === undefined) return [];
  return stored[info.reseller === true ? RESOLD : (modelSources[info.name]?.sameModelsAs ?? info.name)] ?? [];
}
