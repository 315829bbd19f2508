import { type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { containerFees, TOOL_FEES } from "../../shared/tool-fees.ts";

/** Models that do not think pay more for the older search. */
const NOT_THINKING = /^(?:openai\/)?(?:gpt-4|gpt-3|chatgpt)/;

/** What the tools of an answer's `output` cost that OpenAI ran, in fees: searches by the call, containers of code each once. */
export function feesOfTools({ output, tools, model }: JsonRecord): number {
  const declared = listOf(tools).map(recordOf);
  const isPreview =
    NOT_THINKING.test(textOf(model)) && declared.some(({ type }) => textOf(type).startsWith("web_search_preview"));
  const coding = declared.find(({ type }) => type === "code_interpreter")?.container;
  const shell = declared.find(({ type }) => type === "shell")?.environment;
  const containers = new Map<unknown, number>();
  const addContainer = (id: unknown, tool: unknown) => {
    containers.set(id, Math.max(containers.get(id) ?? 0, containerFees(recordOf(tool).memory_limit)));
  };
  const searchesX = declared.some(({ type }) => type === "x_search");
  let fees = 0;
  for (const item of listOf(output).map(recordOf)) {
    if (item.type === "web_search_call") fees += isPreview ? TOOL_FEES.openAiSearchPreview : TOOL_FEES.openAiSearch;
    if (item.type === "file_search_call") fees += TOOL_FEES.openAiFileSearch;
    // xAI has no item of its own for its search of X: the name tells it.
    if (searchesX && item.type === "custom_tool_call" && textOf(item.name).startsWith("x_")) fees += TOOL_FEES.xSearch;
    if (item.type === "code_interpreter_call") addContainer(item.container_id, coding);
    const { container_id: ofShell } = recordOf(item.environment);
    if (item.type === "shell_call" && ofShell !== undefined) addContainer(ofShell, shell);
  }
  for (const ofContainer of containers.values()) fees += ofContainer;
  return fees;
}

/** So many calls of tools are counted of a stream that is cut; the report at its end has them all. */
const MOST_TOOL_CALLS = 1_000;

/** The tools that OpenAI has run in a stream so far. */
export class ToolsRun {
  /** What the beginning of the answer says of its tools. */
  #declared: JsonRecord = {};
  readonly #calls: JsonRecord[] = [];

  /** Takes the answer as its first event has it. */
  begin({ model, tools }: JsonRecord): void {
    if (listOf(tools).length > 0) this.#declared = { model, tools };
  }

  /** Takes an item of the answer that is whole, without what a tool was given and has found, which may be long. Returns whether the provider runs the tool. */
  note({ type, name, container_id, environment }: JsonRecord): boolean {
    const isOfTool = textOf(type).endsWith("_call") && type !== "function_call";
    if (!isOfTool || this.#calls.length >= MOST_TOOL_CALLS) return false;
    this.#calls.push({ type, name, container_id, environment });
    return type !== "custom_tool_call";
  }

  get fees(): number {
    return feesOfTools({ ...this.#declared, output: this.#calls });
  }
}
