import { imageFactor, mostImageTokens } from "@one-api/providers/prices/image-prices";
import type { UsageUpperBound } from "../pricing/index.ts";
import type { ImageRequest, MediaRequest, RecordingRequest, SpeechRequest } from "../body/index.ts";

type MediaUpperBound = Partial<
  Pick<UsageUpperBound, "units" | "audioPromptTokens" | "completionTokens" | "wantsAudio">
>;

const NO_UNITS = { images: 0, imageFactor: 1, characters: 0, seconds: 0, believableSeconds: 0, searches: 0 };

export function mediaUpperBound(media: MediaRequest, models: readonly string[]): MediaUpperBound {
  const most = (of: (model: string) => number) => Math.max(...models.map(of));
  switch (media.kind) {
    case "image":
      return {
        units: { ...NO_UNITS, images: media.count, imageFactor: most((model) => imageFactor(model, media)) },
        completionTokens: media.count * most((model) => tokensOfPicture(model, media)),
      };
    case "ranking":
      return { units: { ...NO_UNITS, searches: media.searches } };
    case "speech":
      return {
        units: { ...NO_UNITS, characters: media.characters },
        completionTokens: Math.ceil(longestSpeech(media) * SPEECH_TOKENS_PER_SECOND),
        wantsAudio: true,
      };
    case "recording": {
      const seconds = longestRecording(media);
      return {
        units: { ...NO_UNITS, seconds, believableSeconds: Math.max(seconds, mostSeconds(media.bytes)) },
        audioPromptTokens: Math.ceil(seconds * INPUT_TOKENS_PER_SECOND),
        completionTokens: Math.ceil(seconds * WRITTEN_TOKENS_PER_SECOND),
      };
    }
  }
}

export function tokensOfPicture(model: string, { size, quality, partialPictures, frames }: ImageRequest): number {
  return mostImageTokens(model, { size, quality }, partialPictures) * frames;
}

/** gpt-4o-mini-tts: $0.015 a minute at $12 per million tokens. Source: https://platform.openai.com/docs/pricing */
export const SPEECH_TOKENS_PER_SECOND = 1_250 / 60;
/** Slowest speech: Chinese, five characters in two seconds. */
const SLOWEST_SECONDS_PER_CHARACTER = 0.4;

function longestSpeech({ characters, speed }: SpeechRequest): number {
  return (characters * SLOWEST_SECONDS_PER_CHARACTER) / Math.min(1, speed);
}

/** OpenAI's rate for audio input. */
export const INPUT_TOKENS_PER_SECOND = 10;
const WRITTEN_TOKENS_PER_SECOND = 10;
const SMALLEST_BYTES_PER_SECOND = 1_000;
const MARGIN_SECONDS = 2;

function longestRecording({ bytes, length }: RecordingRequest): number {
  const most = length?.mostSeconds ?? Math.max(length?.seconds ?? 0, mostSeconds(bytes));
  return Math.ceil(most) + (length === undefined ? 0 : MARGIN_SECONDS);
}

export function recordingSeconds(recording: RecordingRequest): number {
  return recording.length?.seconds ?? longestRecording(recording);
}

function mostSeconds(bytes: number): number {
  return Math.ceil(bytes / SMALLEST_BYTES_PER_SECOND);
}
