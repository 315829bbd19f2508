import type { DeliveredBeside, EventVerdict, MeterOptions } from "../../stream-meter.ts";
import { isRecord, numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { writtenText } from "../../shared/written-text.ts";
import type { Usage } from "../../usage.ts";
import { PassingMeter } from "../passing-meter.ts";
import { readStreamError } from "./read-error.ts";
import { readUsage, ToolBlocks, withSummaries } from "./usage.ts";

const REMARKABLE =
  /"(?:message_(?:start|delta|stop)|web_search_tool_result|[a-z_]*code_execution_tool_result|error|ping)"/;

export class AnthropicStreamMeter extends PassingMeter {
  #model = "";
  #totals: Usage | undefined;
  #outputReported = false;
  readonly #tools = new ToolBlocks();

  constructor({ countText }: MeterOptions) {
    super(REMARKABLE, textOfEvent, countText);
  }

  override get usage(): Usage | undefined {
    const { reported } = this;
    const { fees } = this.#tools;
    return reported === undefined || fees <= reported.toolFees ? reported : { ...reported, toolFees: fees };
  }

  get beside(): DeliveredBeside {
    return { toolFees: this.#tools.fees };
  }

  protected override read(data: string, event: Buffer): EventVerdict {
    const json = parseJson(data);
    if (!isRecord(json)) return { kind: "forward" };
    switch (json.type) {
      case "message_stop":
        this.#countUnreported();
        return { kind: "end" };
      case "error":
        return { kind: "error", failure: readStreamError(data) };
      case "message_start":
        this.#model = textOf(recordOf(json.message).model);
        this.#report(recordOf(json.message).usage);
        break;
      case "message_delta":
        this.#report(json.usage);
        this.#outputReported ||= (numberOf(recordOf(json.usage).output_tokens) ?? 0) > 0;
        if (textOf(recordOf(json.delta).stop_reason) !== "") this.finished = true;
        break;
      case "content_block_start":
      case "content_block_delta":
        if (textOfEvent(json) !== "") this.sawContent = true;
        this.#tools.note(recordOf(json.content_block));
        this.deliver(event);
        break;
      default:
    }
    return { kind: "forward" };
  }

  #report(reported: unknown): void {
    const totals = readUsage(reported, this.#model, this.#totals);
    if (totals === undefined) return;
    this.#totals = totals;
    this.reported = withSummaries(totals, reported);
  }

  #countUnreported(): void {
    if (this.reported === undefined || this.#outputReported) return;
    const completionTokens = Math.max(this.reported.completionTokens, this.deliveredTokens());
    this.reported = { ...this.reported, completionTokens };
  }
}

/** Includes thoughts, tool names and arguments. */
function textOfEvent(event: unknown): string {
  const { type, delta, content_block: block } = recordOf(event);
  return (type === "content_block_delta" ? writtenText(delta) : "") + textOfBlock(block);
}

/** Generated text of a block. Results of server tools are not generated text. */
export function textOfBlock(value: unknown): string {
  const { input, ...block } = recordOf(value);
  if (textOf(block.type).endsWith("_tool_result")) return "";
  return writtenText(block) + (isRecord(input) && Object.keys(input).length > 0 ? JSON.stringify(input) : "");
}
