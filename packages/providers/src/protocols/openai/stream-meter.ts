import type { DeliveredBeside, EventVerdict, MeterOptions } from "../../stream-meter.ts";
import { isRecord, type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { completedBy } from "../../usage.ts";
import { PassingMeter } from "../passing-meter.ts";
import { deltaText, hasFinished } from "./delta-text.ts";
import { carriesError, readStreamError } from "../read-error.ts";
import { readUsage } from "./read-usage.ts";
import { atTier, type NamedTier, readTier, tierBeside } from "./service-tier.ts";

export const END_MARK = "[DONE]";

/**
 * Matches events that are not plain deltas: usage, the end mark, errors (MiniMax: `base_resp`), finish reasons, audio,
 * pictures, server tools, and tiers with a possible price of their own.
 */
const REMARKABLE =
  /"usage"\s*:\s*\{|\[DONE\]|"error"|"base_resp"|"finish_reason"\s*:\s*"|"audio"\s*:\s*\{|"(?:images|web_search|executed_tools)"\s*:\s*\[|"service_tier"\s*:\s*"(?!(?:default|auto|standard|on_demand)")/;

/** `pcm16`: 24,000 samples of two bytes per second. Source: https://platform.openai.com/docs/guides/audio */
const SOUND_BYTES_PER_SECOND = 48_000;
/** A token is 50 ms of generated audio. Source: https://platform.openai.com/docs/guides/realtime-costs */
const SPOKEN_TOKENS_PER_SECOND = 20;
/**
 * Tokens of a picture of the usual size in Gemini's models, which OpenRouter sends in chats. Source:
 * https://ai.google.dev/gemini-api/docs/pricing
 */
const PICTURE_TOKENS = 1_290;
const BYTES_PER_LETTER = 3 / 4;

/** Matches a chat delta with text. Quotes within a text are escaped, so they cannot match. */
const CONTENT = /"delta"\s*:\s*\{(?:\s*"role"\s*:\s*"assistant"\s*,)?\s*"content"\s*:\s*"(?!")/;

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
    // Unread events are extrapolated from delivered ones as text, so media must not be among them.
    if (hasText || !hasMedia) this.deliver(event);
    return { kind: "forward" };
  }

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
