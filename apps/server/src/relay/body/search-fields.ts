import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";

/** Fields that let the provider search by itself and read what it finds. */
export const SEARCH_FIELDS = [
  "web_search_options",
  "search_parameters",
  "plugins",
  "enable_search",
  "web_search",
  "search_options",
  "enable_enhancement",
  "force_search_enhancement",
];

/** How each of OpenRouter's plugins is paid for. Source: https://openrouter.ai/docs/guides/features/plugins */
export const PLUGINS: ReadonlyMap<string, "tokens" | "fees"> = new Map([
  ["web", "fees"],
  ["file-parser", "fees"],
  ["response-healing", "tokens"],
  ["context-compression", "tokens"],
]);

/** True where the request has the provider search, or run a plugin that is paid by itself. */
export function asksForSearch(json: JsonRecord): boolean {
  return (
    SEARCH_FIELDS.some((field) => (field === "plugins" ? hasPaidPlugin(json[field]) : isSwitchedOn(json[field]))) ||
    textOf(json["model"]).endsWith(":online")
  );
}

function hasPaidPlugin(plugins: unknown): boolean {
  if (!Array.isArray(plugins)) return isSwitchedOn(plugins);
  return listOf(plugins).some((plugin) => {
    const { id, enabled } = recordOf(plugin);
    return enabled !== false && PLUGINS.get(textOf(id)) !== "tokens";
  });
}

/** Off by its absence, or in the words of each vendor. */
function isSwitchedOn(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  if (!isRecord(value)) return true;
  return value["enable"] !== false && value["enabled"] !== false && value["mode"] !== "off";
}
