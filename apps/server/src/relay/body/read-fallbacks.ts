import { isRecord, type JsonRecord } from "@one-api/providers/shared/json-fields";
import { badField } from "./bad-field.ts";

/**
 * Fields that name further models: OpenRouter's, and LiteLLM's or Anthropic's. The gateway tries the models itself and
 * sends none of the fields.
 * Sources: https://openrouter.ai/docs/guides/routing/model-fallbacks, https://docs.litellm.ai/docs/proxy/reliability
 */
export const FALLBACK_FIELDS = ["models", "fallbacks"] as const;

const MAX_FALLBACKS = 8;

export interface Fallbacks {
  readonly models: readonly string[];
  readonly fields: readonly string[];
}

export const NO_FALLBACKS: Fallbacks = { models: [], fields: [] };

/** Throws a 400 RelayError that names the field. `longestName` in characters. */
export function readFallbacks(json: JsonRecord, longestName: number): Fallbacks {
  const fields = FALLBACK_FIELDS.filter((name) => Object.hasOwn(json, name));
  if (fields.length === 0) return NO_FALLBACKS;
  const [field, second] = fields.filter((name) => !isEmpty(json[name]));
  if (field !== undefined && second !== undefined)
    throw badField(second, `Send either ${field} or ${second}, not both.`);
  const models = field === undefined ? [] : readModels(field, json[field], longestName);
  return { models, fields: [...fields, ...readRoute(json)] };
}

function isEmpty(listed: unknown): boolean {
  return listed === null || listed === "" || (Array.isArray(listed) && listed.length === 0);
}

function readModels(field: string, listed: unknown, longestName: number): readonly string[] {
  const models = Array.isArray(listed) ? listed.map(nameOf) : [undefined];
  if (models.length > MAX_FALLBACKS) throw badField(field, `${field} may name at most ${MAX_FALLBACKS} models.`);
  return models.map((name, index) => {
    if (name !== undefined && name !== "" && name.length <= longestName) return name;
    throw badField(
      `${field}.${index}`,
      `${field} must be a list of models, such as ["gpt-4o-mini"] or [{"model": "gpt-4o-mini"}].`,
    );
  });
}

/** Other members would change the request for one model, and its price. */
function nameOf(entry: unknown): string | undefined {
  const isAlone = isRecord(entry) && Object.keys(entry).length === 1;
  const name: unknown = isAlone ? entry["model"] : entry;
  return typeof name === "string" ? name : undefined;
}

/** OpenRouter's `route`, whose only value beside none is the rule of the gateway. */
function readRoute(json: JsonRecord): readonly string[] {
  return json["route"] === "fallback" ? ["route"] : [];
}
