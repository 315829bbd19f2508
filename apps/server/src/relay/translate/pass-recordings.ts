import type { Format } from "@one-api/providers/format";
import { isRecord, parseJson } from "@one-api/providers/shared/json-fields";
import type { AnswerHeaders } from "@one-api/providers/shared/retry-after";
import { NO_USAGE, type Usage } from "@one-api/providers/usage";
import { withModelOfForm } from "./pass-form.ts";
import { createPassThrough } from "./pass-through.ts";
import type { ReadAnswer, Translation } from "./translation.ts";

const PLAIN_FORMATS: ReadonlySet<string> = new Set(["text", "srt", "vtt"]);

export function createRecordingPassThrough(format: Format, countText: (text: string) => number): Translation {
  return {
    ...createPassThrough(format, countText),
    // Some models cannot stream and answer whole.
    takesWhole: true,
    writeRequest: withModelOfForm,
    readAnswer(parsed, status, headers, bytes) {
      const isPlain = parsed.media?.kind === "recording" && PLAIN_FORMATS.has(parsed.media.answerFormat);
      return isPlain
        ? readPlain(format, countText, status, headers, bytes)
        : readJson(format, countText, status, headers, bytes);
    },
  };
}

type ReadBytes = (
  format: Format,
  countText: (text: string) => number,
  status: number,
  headers: AnswerHeaders,
  bytes: Buffer,
) => ReadAnswer;

const readJson: ReadBytes = (format, countText, status, headers, bytes) => {
  const answer = parseJson(bytes.toString());
  if (!isRecord(answer) || typeof answer["text"] !== "string" || format.carriesError(answer)) {
    return refusal(format, status, headers, bytes);
  }
  const text = format.answerText(answer);
  return { ok: true, bytes, usage: usageOf(format.readUsage(answer), text, countText) };
};

/** Plain-text answers. An error would be JSON, and a proxy's error page starts with a tag. */
const readPlain: ReadBytes = (format, countText, status, headers, bytes) => {
  const text = bytes.toString();
  const json = /^\s*[{<]/.test(text) ? parseJson(text) : undefined;
  if (/^\s*<(?:!doctype|html)/i.test(text) || (isRecord(json) && format.carriesError(json))) {
    return refusal(format, status, headers, bytes);
  }
  const seconds = Math.ceil(lastTimeOf(text));
  const usage = seconds > 0 ? { ...NO_USAGE, seconds } : undefined;
  return { ok: true, bytes, contentType: "text/plain; charset=utf-8", usage: usageOf(usage, text, countText) };
};

const TIME = /-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})/g;

/** End of the last subtitle (SRT, WebVTT), in seconds; 0 without times. */
function lastTimeOf(text: string): number {
  let last = 0;
  for (const [, hours = "0", minutes, seconds, thousandths] of text.matchAll(TIME)) {
    const time = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${thousandths}`);
    last = Math.max(last, time);
  }
  return last;
}

function usageOf(reported: Usage | undefined, text: string, countText: (text: string) => number): Usage {
  const usage = { ...(reported ?? NO_USAGE), characters: text.length };
  return usage.completionTokens > 0 ? usage : { ...usage, completionTokens: countText(text) };
}

function refusal(format: Format, status: number, headers: AnswerHeaders, bytes: Buffer): ReadAnswer {
  const failure = format.readError(status, headers, bytes.toString());
  return { ok: false, failure };
}
