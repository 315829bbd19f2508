import type { DeliveredBeside, EventVerdict, MeterOptions } from "../../format.ts";
import { isRecord, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { PassingMeter } from "../passing-meter.ts";
import { readStreamError } from "./read-error.ts";
import { feesOfBlock, readUsage, withSummaries } from "./usage.ts";

/** What is no plain piece of the answer. */
const REMARKABLE = /"(?:message_(?:start|delta|stop)|web_search_tool_result|error|ping)"/;

/** Looks at the events of an Anthropic stream as they pass. Source: https://docs.anthropic.com/en/docs/build-with-claude/streaming */
export class AnthropicStreamMeter extends PassingMeter {
  #model = "";
  #totals: Usage | undefined;
  #outputReported = false;
  #toolFees = 0;

  constructor({ countText }: MeterOptions) {
    super(REMARKABLE, textOfEvent, countText);
  }

  get beside(): DeliveredBeside {
    return { toolFees: this.#toolFees };
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
        this.#outputReported ||= recordOf(json.usage).output_tokens !== undefined;
        if (textOf(recordOf(json.delta).stop_reason) !== "") this.finished = true;
        break;
      case "content_block_start":
      case "content_block_delta":
        if (textOfEvent(json) !== "") this.sawContent = true;
        this.#toolFees += feesOfBlock(recordOf(json.content_block));
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

  /** The report at the start knows nothing of the answer yet. */
  #countUnreported(): void {
    if (this.reported === undefined || this.#outputReported) return;
    const completionTokens = Math.max(this.reported.completionTokens, this.deliveredTokens());
    this.reported = { ...this.reported, completionTokens };
  }
}

/** What an event adds to what the model wrote: text, thoughts, names and arguments of tools. */
function textOfEvent(event: unknown): string {
  const { delta, content_block: block } = recordOf(event);
  const { text, thinking, partial_json: input } = recordOf(delta);
  return textOf(text) + textOf(thinking) + textOf(input) + (isRecord(block) ? textOfBlock(block) : "");
}

/** What a block of content adds to what the model wrote. */
export function textOfBlock(value: unknown): string {
  const block = recordOf(value);
  const input = isRecord(block.input) && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : "";
  return textOf(block.text) + textOf(block.thinking) + textOf(block.data) + textOf(block.name) + input;
}
