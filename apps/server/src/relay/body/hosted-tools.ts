import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { containerFees, TOOL_FEES } from "@one-api/providers/shared/tool-fees";

/**
 * `tokens`: by the tokens it reads and writes.
 * `fees`: by a reported fee per use.
 * `container`: by its container.
 * `refused`: its cost is not reported. Unlisted tools are refused too.
 */
export type ToolPayment = "tokens" | "fees" | "container" | "refused";

export const TOOL_TYPES: ReadonlyMap<string, ToolPayment> = new Map([
  ["function", "tokens"],
  ["custom", "tokens"],
  ["namespace", "tokens"],
  ["additional_tools", "tokens"],
  ["mcp", "tokens"],
  ["mcp_toolset", "tokens"],
  ["tool_search", "tokens"],
  ["tool_search_tool_bm25", "tokens"],
  ["tool_search_tool_regex", "tokens"],
  ["programmatic_tool_calling", "tokens"],
  ["apply_patch", "tokens"],
  ["local_shell", "tokens"],
  ["bash", "tokens"],
  ["text_editor", "tokens"],
  ["memory", "tokens"],
  ["computer", "tokens"],
  ["computer_use", "tokens"],
  ["computer_use_preview", "tokens"],
  ["computer_toolset", "tokens"],
  ["browser_toolset", "tokens"],
  ["web_fetch", "tokens"],
  ["web_search", "fees"],
  ["web_search_preview", "fees"],
  ["file_search", "fees"],
  ["code_execution", "fees"],
  ["x_search", "fees"],
  ["collections_search", "fees"],
  ["attachment_search", "fees"],
  // Zhipu, Moonshot
  ["retrieval", "fees"],
  ["builtin_function", "fees"],
  ["openrouter:web_search", "fees"],
  ["openrouter:web_fetch", "fees"],
  ["openrouter:datetime", "tokens"],
  ["code_interpreter", "container"],
  ["shell", "container"],
  ["image_generation", "refused"],
  ["advisor", "refused"],
]);

/** Payments of Gemini's tools, which have no type. Each is a field, spelt in two ways. */
export const TOOL_FIELDS: ReadonlyMap<string, ToolPayment> = new Map([
  ["functiondeclarations", "tokens"],
  ["codeexecution", "tokens"],
  ["computeruse", "tokens"],
  ["urlcontext", "tokens"],
  ["mcpservers", "tokens"],
  ["googlesearch", "fees"],
  ["googlesearchretrieval", "fees"],
  ["googlemaps", "fees"],
  ["filesearch", "fees"],
  ["retrieval", "fees"],
  // Answers do not distinguish these from Google's own search, which costs less.
  ["enterprisewebsearch", "refused"],
  ["parallelaisearch", "refused"],
  ["exaaisearch", "refused"],
]);

/** `_20250305`, `_2025_03_11` */
const VERSION = /_\d{4}_?\d{2}_?\d{2}$/;

export function paymentsOf(tool: unknown): readonly (readonly [name: string, payment: ToolPayment])[] {
  const record = recordOf(tool);
  const { type } = record;
  if (typeof type === "string") return [[type, TOOL_TYPES.get(type.replace(VERSION, "")) ?? "refused"]];
  return hostedNames(record).map((name) => [name, TOOL_FIELDS.get(fieldKey(name)) ?? "refused"]);
}

function fieldKey(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

function hostedNames(tool: JsonRecord): readonly string[] {
  if (["type", "name", "function"].some((field) => tool[field] !== undefined)) return [];
  return Object.keys(tool).filter((name) => fieldKey(name) !== "functiondeclarations");
}

export function isFunction(tool: unknown): boolean {
  const { type } = recordOf(tool);
  if (typeof type === "string") return type === "function" || type === "custom";
  return hostedNames(recordOf(tool)).length === 0;
}

/** True for a tool that the provider runs: its results become input tokens. */
export function isHostedTool(tool: unknown): boolean {
  if (typeof recordOf(tool)["type"] !== "string") return true;
  return !/^(?:bash|text_editor|computer|memory|local_shell|apply_patch)/.test(textOf(recordOf(tool)["type"]));
}

/** Includes tools in the input: OpenAI's `additional_tools`, Anthropic's `tool_addition`. */
export function toolsIn(json: JsonRecord): readonly unknown[] {
  const tools: unknown[] = [];
  for (const tool of oneOrMore(json["tools"])) tools.push(tool);
  for (const tool of listOf(json["functions"])) tools.push(tool);
  for (const item of listOf(json["input"])) {
    for (const tool of listOf(recordOf(item)["tools"])) tools.push(tool);
  }
  for (const message of listOf(json["messages"])) {
    for (const part of listOf(recordOf(message)["content"])) {
      const { definition } = recordOf(recordOf(part)["tool"]);
      if (definition !== undefined) tools.push(definition);
    }
  }
  return tools;
}

function oneOrMore(value: unknown): readonly unknown[] {
  return isRecord(value) ? [value] : listOf(value);
}

/** Searches of a request that sets no limit. The second constant caps a limit that exceeds every provider's maximum. */
export const USUAL_SEARCHES = 20;
const MAX_SEARCHES = 1_000;
/** Upper bound of one use. Rare dearer uses are charged as reported. */
export const FEES_OF_USE = TOOL_FEES.unknownUse;

export function mostFeesOf(tool: JsonRecord): number {
  const { type, max_uses: most, container, environment } = tool;
  const uses = typeof most === "number" && most >= 0 ? Math.min(Math.ceil(most), MAX_SEARCHES) : USUAL_SEARCHES;
  let fees = 0;
  for (const [, payment] of paymentsOf(tool)) {
    if (payment === "fees" || type === "code_interpreter") fees += uses * FEES_OF_USE;
  }
  // A shell that the caller runs costs nothing.
  const runsCode = type === "code_interpreter" || (type === "shell" && recordOf(environment)["type"] !== "local");
  const memory = recordOf(container)["memory_limit"] ?? recordOf(environment)["memory_limit"];
  return fees + (runsCode ? containerFees(memory) : 0);
}
