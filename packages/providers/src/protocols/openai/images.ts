import type { Format } from "../../format.ts";
import type { EventVerdict } from "../../stream-meter.ts";
import { type JsonRecord, textOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { MediaMeter } from "./media-meter.ts";
import { MEDIA, openAiFormat } from "./openai-format.ts";
import { openAiPictures } from "./pictures.ts";
import { readUsage } from "./read-usage.ts";

/** Generations, edits and variations. Source: https://platform.openai.com/docs/api-reference/images */
export const openAiImages: Format = {
  ...openAiFormat("openai-images", MEDIA),
  medium: "image",
  readUsage: imageUsage,
  answerText: () => "",
  meter: () => new ImageMeter(),
  closing: "",
  askedPictures: openAiPictures,
};

/** If the report does not name picture tokens, all tokens of the answer count as such. */
function imageUsage(answer: unknown): Usage | undefined {
  const usage = readUsage(answer);
  return usage === undefined || usage.imageCompletionTokens > 0
    ? usage
    : { ...usage, imageCompletionTokens: usage.completionTokens };
}

class ImageMeter extends MediaMeter {
  #whole = 0;
  #hasOpen = false;
  #reported: Usage | undefined;

  override get finished(): boolean {
    return this.#whole > 0 && !this.#hasOpen;
  }

  override get usage(): Usage {
    const images = this.#whole + (this.#hasOpen ? 1 : 0);
    const reported = this.#reported;
    if (reported === undefined || this.#whole === 0) return { ...NO_USAGE, images };
    // An interrupted picture counts as much as the average of the complete ones.
    const completionTokens = Math.ceil((reported.completionTokens * images) / this.#whole);
    return { ...reported, completionTokens, imageCompletionTokens: completionTokens, images };
  }

  protected read(event: JsonRecord): EventVerdict {
    if (textOf(event.b64_json) === "") return { kind: "forward" };
    this.sawContent = true;
    if (!textOf(event.type).endsWith(".completed")) {
      this.#hasOpen = true;
      return { kind: "forward" };
    }
    this.#whole += 1;
    this.#hasOpen = false;
    this.#add(imageUsage(event));
    return { kind: "hold" };
  }

  #add(usage: Usage | undefined): void {
    const before = this.#reported;
    if (usage === undefined || before === undefined) {
      this.#reported = usage ?? before;
      return;
    }
    this.#reported = {
      ...usage,
      promptTokens: before.promptTokens + usage.promptTokens,
      imagePromptTokens: before.imagePromptTokens + usage.imagePromptTokens,
      completionTokens: before.completionTokens + usage.completionTokens,
      imageCompletionTokens: before.imageCompletionTokens + usage.imageCompletionTokens,
    };
  }
}
