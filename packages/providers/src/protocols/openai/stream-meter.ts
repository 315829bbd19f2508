import type { DeliveredBeside, EventVerdict, MeterOptions } from "../../format.ts";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { completedBy } from "../../usage.ts";
import { PassingMeter } from "../passing-meter.ts";
import { deltaText, hasFinished } from "./delta-text.ts";
import { carriesError, readStreamError } from "../read-error.ts";
import { readUsage } from "./read-usage.ts";
import { atTier, type NamedTier, readTier, tierBeside } from "./service-tier.ts";

/** The end of a stream of OpenAI's format. */
export const END_MARK = "[DONE]";

/** A usage that is not null, the end mark, an error (MiniMax: `base_resp`), a finish reason that is a text, sound, pictures, tools that the provider has run, or a tier that may have a price of its own. */
const REMARKABLE =
  /"usage"\s*:\s*\{|\[DONE\]|"error"|"base_resp"|"finish_reason"\s*:\s*"|"audio"\s*:\s*\{|"(?:images|web_search|executed_tools)"\s*:\s*\[|"service_tier"\s*:\s*"(?!(?:default|auto|standard|on_demand)")/;

/** Sound in streams is `pcm16`: 24,000 samples of two bytes a second. Source: https://platform.openai.com/docs/guides/audio */
const SOUND_BYTES_PER_SECOND = 48_000;
/** A token is 50 ms of what the model says. Source: https://platform.openai.com/docs/guides/realtime-costs */
const SPOKEN_TOKENS_PER_SECOND = 20;
/** A picture of the usual size, as Gemini's models count it, which OpenRouter sends in chats. Source: https://ai.google.dev/gemini-api/docs/pricing */
const PICTURE_TOKENS = 1_290;
/** Base64 holds three bytes in four letters. */
const BYTES_PER_LETTER = 3 / 4;

/** A piece of a chat with a text that is not empty. Within a text its quotes would have backslashes. */
const CONTENT = /"delta"\s*:\s*\{(?:\s*"role"\s*:\s*"assistant"\s*,)?\s*"content"\s*:\s*"(?!")/;

/** Looks at the events of an OpenAI stream as they pass. */
export class OpenAiStreamMeter extends PassingMeter {
  readonly #passUsage: boolean;
  #soundSeconds = 0;
  #pictures = 0;
  #tier: NamedTier | undefined;

  constructor({ passUsage, countText }: MeterOptions) {
    super(REMARKABLE, deltaText, countText, CONTENT);
    this.#passUsage = passUsage;
  }

  get beside(): DeliveredBeside {
    return {
      audioCompletionTokens: Math.ceil(this.#soundSeconds * SPOKEN_TOKENS_PER_SECOND),
      imageCompletionTokens: this.#pictures * PICTURE_TOKENS,
      ...tierBeside(this.#tier),
    };
  }

  protected override read(data: string, event: Buffer): EventVerdict {
    if (data.trim() === END_MARK) return { kind: "end" };
    const json = parseJson(data);
    if (!isRecord(json)) return { kind: "forward" };
    if (carriesError(json)) return { kind: "error", failure: readStreamError(data) };
    // Not every event names the tier.
    this.#tier = readTier(json) ?? this.#tier;
    const usage = atTier(readUsage(json), json, this.#tier);
    if (usage !== undefined) this.reported = completedBy(usage, this.reported);
    const { choices } = json;
    if (usage !== undefined && Array.isArray(choices) && choices.length === 0 && !this.#passUsage) {
      return { kind: "drop" };
    }
    if (hasFinished(json)) this.finished = true;
    const [hasMedia, hasText] = [this.#hasMedia(json), deltaText(json) !== ""];
    if (this.finished || hasText || hasMedia) this.sawContent = true;
    // What comes unread later is taken to be text as before: none of this is.
    if (hasText || !hasMedia) this.deliver(event);
    return { kind: "forward" };
  }

  /** Counts the sound and the pictures of a piece. */
  #hasMedia({ choices }: JsonRecord): boolean {
    let has = false;
    for (const choice of listOf(choices)) {
      const { audio, images } = recordOf(recordOf(choice).delta);
      const [letters, pictures] = [textOf(recordOf(audio).data).length, listOf(images).length];
      this.#soundSeconds += (letters * BYTES_PER_LETTER) / SOUND_BYTES_PER_SECOND;
      this.#pictures += pictures;
      has ||= letters + pictures > 0;
    }
    return has;
  }
}
