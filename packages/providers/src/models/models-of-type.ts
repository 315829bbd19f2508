import { type ChannelTypeName, channelTypeInfo } from "@one-api/contract/channels/channel-types";
import storedModels from "./models.json" with { type: "json" };
import { modelSources } from "./model-sources.ts";

/** Made from model-sources.ts by scripts/generate-models.ts. */
const stored: Readonly<Record<string, readonly string[]>> = storedModels;

const RESOLD: ChannelTypeName = "openai";

/** The models that a new channel of the type is offered, today's first, none twice. Empty for a type that has none of its own. */
export function modelsOfType(type: number): readonly string[] {
  const info = channelTypeInfo(type);
  if (info === undefined) return [];
  return stored[info.reseller === true ? RESOLD : (modelSources[info.name]?.sameModelsAs ?? info.name)] ?? [];
}
