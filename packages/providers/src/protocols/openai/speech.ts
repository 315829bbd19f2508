import type { Format } from "../../format.ts";
import type { EventVerdict } from "../../stream-meter.ts";
import { type JsonRecord, textOf } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { MediaMeter } from "./media-meter.ts";
import { MEDIA, openAiFormat } from "./openai-format.ts";
import { readUsage } from "./read-usage.ts";

/** Answers are audio bytes or events. Source: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const openAiSpeech: Format = {
  ...openAiFormat("openai-speech", MEDIA),
  medium: "speech",
  answerText: () => "",
  meter: () => new SpeechMeter(),
  closing: "",
};

class SpeechMeter extends MediaMeter {
  finished = false;
  usage: Usage | undefined;

  protected read(event: JsonRecord): EventVerdict {
    if (textOf(event.audio) !== "") this.sawContent = true;
    if (!textOf(event.type).endsWith(".done")) return { kind: "forward" };
    this.usage = readUsage(event) ?? this.usage;
    this.finished = true;
    return { kind: this.sawContent ? "hold" : "forward" };
  }
}
