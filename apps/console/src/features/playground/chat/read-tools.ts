import { fieldsOf } from "../../../lib/values/read-values.ts";

export interface ChatTool {
  readonly name: string;
  readonly description: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** Error in a list of tools: invalid JSON, or a tool without a required field. */
type ToolsProblem =
  | { readonly kind: "json" | "list" }
  | { readonly kind: "name" | "schema" | "twice"; readonly number: number };

export type ReadTools =
  | { readonly tools: readonly ChatTool[]; readonly problem?: undefined }
  | { readonly tools?: undefined; readonly problem: ToolsProblem };

/** Names that OpenAI and Anthropic accept. */
const NAME = /^[\w-]{1,64}$/;

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads a tool of OpenAI's form, with or without its wrapper, or of Anthropic's. */
function readTool(value: unknown): ChatTool {
  const outer = fieldsOf(value);
  const {
    name,
    description,
    parameters,
    input_schema: schema,
  } = isObject(outer["function"]) ? fieldsOf(outer["function"]) : outer;
  return {
    name: typeof name === "string" ? name : "",
    description: typeof description === "string" ? description : "",
    schema: fieldsOf(schema ?? parameters ?? { type: "object", properties: {} }),
  };
}

/** Reads the tools that a text in JSON declares; an empty one declares none. A single tool need not stand in a list. */
export function readTools(text: string): ReadTools {
  if (text.trim() === "") return { tools: [] };
  const json = parse(text);
  if (json === undefined) return { problem: { kind: "json" } };
  const list: readonly unknown[] = Array.isArray(json) ? json : [json];
  if (!list.every(isObject)) return { problem: { kind: "list" } };
  const tools = list.map(readTool);
  const unnamed = tools.findIndex(({ name }) => !NAME.test(name));
  if (unnamed !== -1) return { problem: { kind: "name", number: unnamed + 1 } };
  const shapeless = tools.findIndex(({ schema }) => schema["type"] !== "object");
  if (shapeless !== -1) return { problem: { kind: "schema", number: shapeless + 1 } };
  const twice = tools.findIndex(({ name }, index) => tools.findIndex((other) => other.name === name) < index);
  return twice === -1 ? { tools } : { problem: { kind: "twice", number: twice + 1 } };
}
