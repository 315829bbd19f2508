import type { DeliveredBeside, EventVerdict, MeterOptions } from "../../stream-meter.ts";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { type NamedTier, readTier, tierBeside } from "../openai/service-tier.ts";
import { writtenText } from "../../shared/written-text.ts";
import { PassingMeter } from "../passing-meter.ts";
import { readUsage } from "./answer.ts";
import { readStreamError } from "./read-error.ts";
import { ToolsRun } from "./tool-fees.ts";

const REMARKABLE =
  /"(?:response\.(?:created|queued|in_progress|completed|incomplete|failed)|(?:web_search|file_search|code_interpreter|shell|custom_tool)_call|error)"/;

/** Meters a Responses stream. The last event repeats the answer, and is buffered until the charge is committed. */
export class ResponsesStreamMeter extends PassingMeter {
  storedId: string | undefined;
  #tier: NamedTier | undefined;
  readonly #tools = new ToolsRun();

  constructor({ countText }: MeterOptions) {
    const pieces = new CountedPieces();
    super(REMARKABLE, textOfEvent, countText, undefined, (event) => pieces.read(event));
  }

  get beside(): DeliveredBeside {
    return { toolFees: this.#tools.fees, ...tierBeside(this.#tier) };
  }

  protected override read(data: string, event: Buffer): EventVerdict {
    const json = parseJson(data);
    if (!isRecord(json)) return { kind: "forward" };
    switch (json.type) {
      case "response.completed":
      case "response.incomplete":
        this.reported = readUsage(json.response, this.#tier) ?? this.reported;
        // Some servers send the whole answer only here.
        if (!this.sawContent) this.deliver(event);
        this.finished = true;
        this.sawContent = true;
        return { kind: "last" };
      case "response.failed":
      case "error":
        return { kind: "error", failure: readStreamError(data) };
      case "response.created":
        this.#tier = readTier(json.response);
        this.storedId = readStoredId(json.response);
        this.#tools.begin(recordOf(json.response));
        return { kind: "forward" };
      case undefined:
        return { kind: "forward" };
      case "response.queued":
      case "response.in_progress":
        return { kind: "forward" };
      case "response.output_item.done":
        this.#tools.note(recordOf(json.item));
        this.sawContent = true;
        this.deliver(event);
        return { kind: "forward" };
      default:
        this.sawContent = true;
        this.deliver(event);
        return { kind: "forward" };
    }
  }
}

function textOfEvent(event: unknown): string {
  const { type, delta, item } = recordOf(event);
  if (textOf(type).endsWith(".delta")) return writtenText(delta);
  if (type === "response.output_item.added") return textOf(recordOf(item).name);
  return "";
}

/** Reads the text of each item once: from its deltas, else from its end events or the whole answer. */
class CountedPieces {
  readonly #read = new Set<unknown>();

  read(event: unknown): string {
    const { type, output_index: index, item, response, ...piece } = recordOf(event);
    const name = textOf(type);
    if (name.endsWith(".delta")) this.#read.add(index);
    if (!name.endsWith(".done")) return isRecord(response) ? this.#readWhole(response) : textOfEvent(event);
    if (this.#read.has(index)) return "";
    this.#read.add(index);
    // The event that added the item had the name.
    const { name: _name, ...body } = recordOf(item);
    return isRecord(item) ? textOfItem(body) : writtenText(piece);
  }

  #readWhole(response: JsonRecord): string {
    return this.#read.size === 0 ? textOfResponse(response) : "";
  }
}

/** Id of a stored answer. OpenAI stores by default. */
export function readStoredId(answer: unknown): string | undefined {
  const { id, store } = recordOf(answer);
  return store !== false && textOf(id) !== "" ? textOf(id) : undefined;
}

export function textOfResponse(answer: unknown): string {
  return listOf(recordOf(answer).output).filter(isRecord).map(textOfItem).join("");
}

/** Results of server tools are not generated text. */
function textOfItem({ output: _found, results: _results, tools: _tools, ...item }: JsonRecord): string {
  return writtenText(item);
}
