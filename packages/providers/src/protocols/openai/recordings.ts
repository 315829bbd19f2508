import type { Format } from "../../format.ts";
import type { EventVerdict, MeterOptions } from "../../stream-meter.ts";
import { type JsonRecord, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";
import { NO_USAGE, type Usage } from "../../usage.ts";
import { PassingMeter } from "../passing-meter.ts";
import { lookAtEvent } from "./media-meter.ts";
import { MEDIA, openAiFormat } from "./openai-format.ts";
import { readUsage } from "./read-usage.ts";

/** Transcriptions. Source: https://platform.openai.com/docs/api-reference/audio/createTranscription */
export const openAiRecordings: Format = {
  ...openAiFormat("openai-recordings", MEDIA),
  medium: "recording",
  readUsage: recordingUsage,
  answerText: (answer) => textOf(recordOf(answer).text),
  meter: (options) => new TranscriptMeter(options),
  closing: "",
};

/** Usage in tokens, or the duration of the recording in seconds. */
function recordingUsage(answer: unknown): Usage | undefined {
  const { usage, duration } = recordOf(answer);
  const reported = recordOf(usage);
  const seconds = numberOf(reported.seconds) ?? numberOf(reported.prompt_audio_seconds) ?? numberOf(duration) ?? 0;
  const tokens = readUsage({ usage: { ...reported, input_tokens_details: detailsOf(reported) } });
  if (tokens === undefined && seconds <= 0) return undefined;
  return { ...(tokens ?? NO_USAGE), seconds: Math.ceil(Math.max(0, seconds)) };
}

function detailsOf({ input_token_details: details, input_tokens_details: usual }: JsonRecord): unknown {
  return details ?? usual;
}

const REMARKABLE = /"usage"\s*:\s*\{|\[DONE\]|"error"|\.done"/;

class TranscriptMeter extends PassingMeter {
  constructor({ countText }: MeterOptions) {
    super(REMARKABLE, (event) => textOf(recordOf(event).delta), countText);
  }

  protected override read(data: string, event: Buffer): EventVerdict {
    return lookAtEvent(data, (said) => {
      this.sawContent = true;
      if (!textOf(said.type).endsWith(".done")) {
        this.deliver(event);
        return { kind: "forward" };
      }
      this.reported = recordingUsage(said);
      this.finished = true;
      return { kind: "hold" };
    });
  }
}
