import { isJsonObject, listField } from "./json-fields.ts";
import type { JsonObject } from "./json-fields.ts";

/** A function that the answer calls, with the arguments as a JSON text. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: string;
}

const charactersPerPiece = 6;

/**
 * The call that `tools` and `tool_choice` demand: of the named function, or of the first one when a call is required
 * (or `callTool` is set). Undefined when the answer is a text.
 */
export function demandedToolCall(body: JsonObject, said: string, id: string, callTool: boolean): ToolCall | undefined {
  const choice = body["tool_choice"];
  const functions = listField(body, "tools").flatMap(functionOf);
  const demanded = isJsonObject(choice)
    ? functions.find((item) => functionOf(choice).some((named) => named["name"] === item["name"]))
    : choice === "required" || (callTool && choice !== "none")
      ? functions[0]
      : undefined;
  const name = demanded?.["name"];
  if (typeof name !== "string") return undefined;
  return { id: `call_${id}`, name, arguments: JSON.stringify(sampleValue(demanded?.["parameters"], said)) };
}

/** Cuts the arguments into the pieces that a stream sends one by one. */
export function splitArguments(text: string): string[] {
  return text.match(new RegExp(`[^]{1,${charactersPerPiece}}`, "gu")) ?? [];
}

function functionOf(tool: unknown): JsonObject[] {
  return isJsonObject(tool) && isJsonObject(tool["function"]) ? [tool["function"]] : [];
}

/** A value that fits a JSON schema; texts hold what the caller said. */
function sampleValue(schema: unknown, said: string): unknown {
  if (!isJsonObject(schema)) return {};
  const [firstAllowed] = listField(schema, "enum");
  if (firstAllowed !== undefined) return firstAllowed;
  switch (schema["type"]) {
    case "string":
      return said;
    case "number":
    case "integer":
      return 1;
    case "boolean":
      return true;
    case "array":
      return [sampleValue(schema["items"], said)];
    default:
      return sampleObject(schema["properties"], said);
  }
}

function sampleObject(properties: unknown, said: string): JsonObject {
  if (!isJsonObject(properties)) return {};
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleValue(schema, said)]));
}
