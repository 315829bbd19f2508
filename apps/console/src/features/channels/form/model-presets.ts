import type { Model } from "@one-api/contract/model";

/** Dollars per million output tokens up to which a model is of the low tier. */
const LOW_TIER_DOLLARS = 5;

/** A list of models that one press fills in. */
type ModelPreset = "related" | "all" | "lowTier" | "highTier";

export const MODEL_PRESETS: readonly ModelPreset[] = ["related", "all", "lowTier", "highTier"];

interface PresetSource {
  /** The list of the channel's type. */
  related: readonly string[];
  all: readonly Model[];
}

/** The models of a preset. Those without a known price are in neither tier. */
export function modelsOfPreset(preset: ModelPreset, { related, all }: PresetSource): string[] {
  if (preset === "related") return [...related];
  return all.filter((model) => belongsTo(preset, model.output_price)).map((model) => model.id);
}

function belongsTo(preset: Exclude<ModelPreset, "related">, outputPrice: number | null): boolean {
  if (preset === "all") return true;
  if (outputPrice === null) return false;
  return preset === "lowTier" ? outputPrice <= LOW_TIER_DOLLARS : outputPrice > LOW_TIER_DOLLARS;
}
