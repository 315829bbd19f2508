import type { ChatTool } from "../../neutral/chat-request.ts";
import { flagOf, isRecord, type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";

interface DeclaredTool {
  readonly namespace: string;
  readonly definition: JsonRecord;
}

export const ADDITIONAL_TOOLS = "additional_tools";

/**
 * Reads the tools of `tools` and of input items, with the members of namespaces one by one.
 * Source: https://developers.openai.com/api/docs/guides/function-calling#defining-namespaces
 */
export function readTools(request: JsonRecord): readonly ChatTool[] {
  const tools = declaredTools(request).map(readTool);
  const names = new Set<string>();
  // The last declaration of a tool takes precedence.
  return tools
    .toReversed()
    .filter((tool) => tool.type === "native" || addName(names, tool.name))
    .toReversed();
}

function addName(names: Set<string>, name: string): boolean {
  return names.size < names.add(name).size;
}

function declaredTools({ tools, input }: JsonRecord): readonly DeclaredTool[] {
  const added = listOf(input)
    .map(recordOf)
    .filter(({ type }) => type === ADDITIONAL_TOOLS);
  const declared = [...listOf(tools), ...added.flatMap((item) => listOf(item.tools))];
  return declared.filter(isRecord).flatMap((definition): readonly DeclaredTool[] => {
    if (definition.type !== "namespace") return [{ namespace: "", definition }];
    const members = listOf(definition.tools).filter(isRecord);
    return members.map((member) => ({ namespace: textOf(definition.name), definition: member }));
  });
}

export function flatName(namespace: unknown, name: unknown): string {
  const outer = textOf(namespace);
  if (outer === "") return textOf(name);
  return `${outer.endsWith("__") ? outer : `${outer}__`}${textOf(name)}`;
}

/** Parameters of a function that replaces a custom tool: its text is the only argument. */
const TEXT_INPUT: JsonRecord = {
  type: "object",
  properties: { input: { type: "string", description: "The whole input, as it is." } },
  required: ["input"],
  additionalProperties: false,
};

function readTool({ namespace, definition }: DeclaredTool): ChatTool {
  const { type, name, description, parameters, strict } = definition;
  const named = { type: "function", name: flatName(namespace, name), cache: undefined } as const;
  if (type === "function") {
    const schema = isRecord(parameters) ? parameters : { type: "object", properties: {} };
    return { ...named, description: textOf(description), schema, strict: flagOf(strict) };
  }
  if (type !== "custom") return { type: "native", format: "openai-responses", definition };
  const { syntax, definition: grammar } = recordOf(definition.format);
  const rule =
    textOf(grammar) === "" ? "" : `\n\nThe input follows this grammar (${textOf(syntax)}):\n${textOf(grammar)}`;
  return { ...named, description: textOf(description) + rule, schema: TEXT_INPUT, strict: undefined };
}

export class CallersTools {
  readonly #tools: ReadonlyMap<string, DeclaredTool>;

  constructor(request: JsonRecord) {
    this.#tools = new Map(
      declaredTools(request).map((tool) => [flatName(tool.namespace, tool.definition.name), tool] as const),
    );
  }

  nameOf(called: string): JsonRecord {
    const tool = this.#tools.get(called);
    if (tool === undefined || tool.namespace === "") return { name: called };
    return { name: textOf(tool.definition.name), namespace: tool.namespace };
  }

  takesText(called: string): boolean {
    return this.#tools.get(called)?.definition.type === "custom";
  }
}
