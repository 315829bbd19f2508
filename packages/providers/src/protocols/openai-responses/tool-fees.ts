import { type JsonRecord, listOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { containerFees, TOOL_FEES } from "../../shared/tool-fees.ts";

/** Models without reasoning pay more for the older search. */
const NOT_THINKING = /^(?:openai\/)?(?:gpt-4|gpt-3|chatgpt)/;

/** Fees of the server tools in `output`: searches per call, each code container once. */
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
    // xAI's search of X is a custom tool call, identified by its name.
    if (searchesX && item.type === "custom_tool_call" && textOf(item.name).startsWith("x_")) fees += TOOL_FEES.xSearch;
    if (item.type === "code_interpreter_call") addContainer(item.container_id, coding);
    const { container_id: ofShell } = recordOf(item.environment);
    if (item.type === "shell_call" && ofShell !== undefined) addContainer(ofShell, shell);
  }
  for (const ofContainer of containers.values()) fees += ofContainer;
  return fees;
}

/** Upper bound of counted tool calls in a stream that is cut. The report at the end has all of them. */
const MOST_TOOL_CALLS = 1_000;

export class ToolsRun {
  #declared: JsonRecord = {};
  readonly #calls: JsonRecord[] = [];

  begin({ model, tools }: JsonRecord): void {
    if (listOf(tools).length > 0) this.#declared = { model, tools };
  }

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
