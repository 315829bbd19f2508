import { modelMappingSchema } from "@one-api/contract/channels/channel-json";
import type { Model } from "@one-api/contract/prices/model";

/** Model names in a typed or pasted text: one per comma or line. Names may hold spaces. */
export function splitModels(text: string): string[] {
  return text
    .split(/[,，\n\r\t]/)
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

export function withModels(models: readonly string[], names: readonly string[]): string[] {
  return [...new Set([...models, ...names])];
}

const SUGGESTIONS_SHOWN = 80;

/** The first suggestions that hold the typed text and are not chosen yet. */
export function suggestModels(suggestions: readonly string[], chosen: readonly string[], typed: string): string[] {
  const taken = new Set(chosen);
  const wanted = typed.toLowerCase();
  const found: string[] = [];
  for (const model of suggestions) {
    if (taken.has(model) || !model.toLowerCase().includes(wanted)) continue;
    found.push(model);
    if (found.length === SUGGESTIONS_SHOWN) break;
  }
  return found;
}

/** Dollars per million output tokens up to which a model is of the low tier. */
const LOW_TIER_DOLLARS = 5;

type ModelPreset = "related" | "all" | "lowTier" | "highTier";

export const MODEL_PRESETS: readonly ModelPreset[] = ["related", "all", "lowTier", "highTier"];

export interface PresetSource {
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

/** Reads the names of models at the provider; empty while the text is no such JSON. */
export function mappingOf(text: string): Readonly<Record<string, string>> {
  try {
    return modelMappingSchema.safeParse(JSON.parse(text)).data ?? {};
  } catch {
    return {};
  }
}

/** Compares chosen models with a provider's list, by the provider's names: missing ones, and unlisted ones. */
export function compareModels(
  chosen: readonly string[],
  mappingText: string,
  listed: readonly string[],
): { readonly added: readonly string[]; readonly gone: readonly string[] } {
  const mapping = mappingOf(mappingText);
  const askedFor = (model: string) => mapping[model] ?? model;
  const asked = new Set(chosen.map(askedFor));
  const known = new Set(listed);
  return {
    added: listed.filter((model) => !asked.has(model)),
    gone: chosen.filter((model) => !known.has(askedFor(model))),
  };
}
