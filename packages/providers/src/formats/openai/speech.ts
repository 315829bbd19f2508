import type { EventVerdict, Format, StreamMeter } from "../../format.ts";
import { readServerSentEvent } from "../../framing/server-sent-event.ts";
import { isRecord, parseJson, textOf } from "../../shared/json-fields.ts";
import type { Usage } from "../../usage.ts";
import { carriesError, readStreamError } from "../read-error.ts";
import { MEDIA, openAiFormat } from "./openai-format.ts";
import { readUsage } from "./read-usage.ts";
import { END_MARK } from "./stream-meter.ts";

/** Texts to be spoken as OpenAI says them; answers are sound, or events with it. Source: https://platform.openai.com/docs/api-reference/audio/createSpeech */
export const openAiSpeech: Format = {
  ...openAiFormat("openai-speech", MEDIA),
  medium: "speech",
  answerText: () => "",
  meter: () => new SpeechMeter(),
  closing: "",
};

/** Looks at events with sound; the last of them reports the usage. */
class SpeechMeter implements StreamMeter {
  finished = false;
  sawContent = false;
  usage: Usage | undefined;

  deliveredTokens(): number {
    return 0;
  }

  /** Sound is not searched: every event is looked at. */
  passing(_events: Buffer, _text: string, from: number): number {
    return from;
  }

  look(event: Buffer): EventVerdict {
    const { data } = readServerSentEvent(event);
    if (data.trim() === END_MARK) return { kind: "end" };
    const json = parseJson(data);
    if (!isRecord(json)) return { kind: "forward" };
    if (carriesError(json)) return { kind: "error", failure: readStreamError(data) };
    if (textOf(json.audio) !== "") this.sawContent = true;
    if (!textOf(json.type).endsWith(".done")) return { kind: "forward" };
    this.usage = readUsage(json);
    this.finished = true;
    return { kind: this.sawContent ? "hold" : "forward" };
  }
}
