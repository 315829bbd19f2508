import { FAIR_ROUTING } from "@one-api/contract/channels/overrides/override-fields";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { badField } from "./bad-field.ts";
import { FALLBACK_FIELDS } from "./read-fallbacks.ts";
import { paymentsOf, toolsIn } from "./hosted-tools.ts";
import { PLUGINS } from "./search-fields.ts";

/** Fields by which OpenRouter or LiteLLM would call other models than the named ones. */
export const OTHER_MODELS = [
  "context_window_fallbacks",
  "content_policy_fallbacks",
  "advisor",
  "preset",
  "route",
] as const;

/** Throws a 400 RelayError for requests billed at another model's price or at an unknown one. `accepted`: fields that no provider receives. */
export function refuseUnpriced(json: JsonRecord, accepted: readonly string[]): void {
  refuseOtherModels(json, accepted);
  refuseRouting(json["provider"]);
  refusePlugins(json["plugins"]);
  for (const [index, tool] of toolsIn(json).entries()) refuseTool(tool, `tools.${index}`);
}

function refuseOtherModels(json: JsonRecord, accepted: readonly string[]): void {
  for (const field of [...FALLBACK_FIELDS, ...OTHER_MODELS]) {
    if (accepted.includes(field)) continue;
    const others = json[field] ?? [];
    if ((Array.isArray(others) && others.length === 0) || others === "") continue;
    throw badField(
      field,
      `${field} is not offered here: the model that is named is the one that answers. Leave it out.`,
    );
  }
  if (recordOf(json["providerOptions"])["gateway"] !== undefined)
    throw badField(
      "providerOptions",
      "providerOptions.gateway is not offered here: it may choose a dearer host. Leave it out.",
    );
}

function refuseRouting(provider: unknown): void {
  if (provider === undefined || provider === null) return;
  if (!isRecord(provider))
    throw badField("provider", "provider is not offered here: it may choose a dearer host. Leave it out.");
  const unfair = Object.keys(provider).find((name) => !FAIR_ROUTING.has(name));
  if (unfair === undefined) return;
  throw badField("provider", `provider.${unfair} is not offered here: it may choose a dearer host. Leave it out.`);
}

function refusePlugins(plugins: unknown): void {
  for (const [index, plugin] of listOf(plugins).entries()) {
    const { id } = recordOf(plugin);
    if (PLUGINS.has(textOf(id))) continue;
    throw badField(
      `plugins.${index}`,
      `The plugin ${shown(id)} is not offered here: its price is not known. Leave it out.`,
    );
  }
}

/** Anthropic and OpenRouter charge tools that call another model at its price, reported outside the usage. */
function refuseTool(tool: unknown, field: string): void {
  const { type, model, parameters } = recordOf(tool);
  if (type === "function" || type === "custom") return;
  const named = model ?? recordOf(parameters)["model"] ?? undefined;
  if (typeof type === "string" && (named !== undefined || /advisor|subagent|fusion/i.test(type)))
    throw badField(field, "Tools that ask another model are not offered here. Leave this one out.");
  const refused = paymentsOf(tool).find(([, payment]) => payment === "refused");
  if (refused === undefined) return;
  throw badField(
    field,
    `The tool ${shown(refused[0])} is not offered here: no answer tells what it costs. Leave it out.`,
  );
}

const MAX_SHOWN = 60;

function shown(name: unknown): string {
  return textOf(name).slice(0, MAX_SHOWN);
}
