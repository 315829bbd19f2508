import type { EventVerdict, MeterOptions } from "../../format.ts";
import { isRecord, parseJson } from "../../shared/json-fields.ts";
import { PassingMeter } from "../passing-meter.ts";
import { deltaText, hasFinished } from "./delta-text.ts";
import { carriesError, readStreamError } from "../read-error.ts";
import { readUsage } from "./read-usage.ts";
import { atTier } from "./service-tier.ts";

/** The end of a stream of OpenAI's format. */
export const END_MARK = "[DONE]";

/** A usage that is not null, the end mark, an error (MiniMax: `base_resp`), or a finish reason that is a text. */
const REMARKABLE = /"usage"\s*:\s*\{|\[DONE\]|"error"|"base_resp"|"finish_reason"\s*:\s*"/;

/** A piece of a chat with a text that is not empty. Within a text its quotes would have backslashes. */
const CONTENT = /"delta"\s*:\s*\{(?:\s*"role"\s*:\s*"assistant"\s*,)?\s*"content"\s*:\s*"(?!")/;

/** Looks at the events of an OpenAI stream as they pass. */
export class OpenAiStreamMeter extends PassingMeter {
  readonly #passUsage: boolean;

  constructor({ passUsage, countText }: MeterOptions) {
    super(REMARKABLE, deltaText, countText, CONTENT);
    this.#passUsage = passUsage;
  }

  protected override read(data: string, event: Buffer): EventVerdict {
    if (data.trim() === END_MARK) return { kind: "end" };
    const json = parseJson(data);
    if (!isRecord(json)) return { kind: "forward" };
    if (carriesError(json)) return { kind: "error", failure: readStreamError(data) };
    const usage = atTier(readUsage(json), json);
    if (usage !== undefined) this.reported = usage;
    const { choices } = json;
    if (usage !== undefined && Array.isArray(choices) && choices.length === 0 && !this.#passUsage) {
      return { kind: "drop" };
    }
    if (hasFinished(json)) this.finished = true;
    if (this.finished || deltaText(json) !== "") this.sawContent = true;
    this.deliver(event);
    return { kind: "forward" };
  }
}
