import { imageFactor } from "@one-api/providers/prices/image-prices";
import type { Usage } from "@one-api/providers/usage";
import {
  INPUT_TOKENS_PER_SECOND,
  MAX_CHARACTERS_PER_SECOND,
  recordingSeconds,
  SPEECH_TOKENS_PER_SECOND,
  tokensOfPicture,
} from "../media/index.ts";
import type { ImageRequest, MediaRequest, RecordingRequest } from "../body/index.ts";

export interface CompletedUsage {
  readonly usage: Usage;
  readonly isEstimated: boolean;
}

export interface UsageOrigin {
  readonly model: string;
  /** Minimum that the provider bills per recording; absent: none. */
  readonly leastSeconds?: number | undefined;
}

export function completeUsage(
  media: MediaRequest,
  { model, leastSeconds = 0 }: UsageOrigin,
  used: Usage,
): CompletedUsage {
  switch (media.kind) {
    case "image":
      return ofImages(media, model, used);
    case "speech":
      return ofSpeech(used);
    case "recording":
      return ofRecording(media, used, leastSeconds);
    case "ranking":
      return { usage: { ...used, searches: used.searches || media.searches }, isEstimated: false };
  }
}

function ofImages(media: ImageRequest, model: string, used: Usage): CompletedUsage {
  const priced = { ...used, imageFactor: imageFactor(model, media) };
  if (used.images === 0 || used.completionTokens > 0) return { usage: priced, isEstimated: false };
  const completionTokens = used.images * tokensOfPicture(model, media);
  return { usage: { ...priced, completionTokens, imageCompletionTokens: completionTokens }, isEstimated: true };
}

const CHARACTERS_PER_TOKEN = 4;

/** `used.seconds`: length of the speech. */
function ofSpeech(used: Usage): CompletedUsage {
  const spoken = { ...used, seconds: 0 };
  const promptTokens = used.promptTokens || Math.ceil(used.characters / CHARACTERS_PER_TOKEN);
  if (used.completionTokens > 0) return { usage: { ...spoken, promptTokens }, isEstimated: false };
  const seconds = used.seconds > 0 ? used.seconds : used.characters / MAX_CHARACTERS_PER_SECOND;
  const completionTokens = Math.ceil(seconds * SPEECH_TOKENS_PER_SECOND);
  return { usage: { ...spoken, promptTokens, completionTokens }, isEstimated: true };
}

/** `used.characters`: length of the transcript. It bounds the seconds from below, for files that declare too few. */
function ofRecording(media: RecordingRequest, used: Usage, leastSeconds: number): CompletedUsage {
  const least = used.characters / MAX_CHARACTERS_PER_SECOND;
  const measured = Math.ceil(Math.max(recordingSeconds(media), least));
  const seconds = Math.max(used.seconds > 0 ? used.seconds : measured, leastSeconds);
  const transcribed = { ...used, characters: 0, seconds };
  if (used.promptTokens > 0) return { usage: transcribed, isEstimated: false };
  const audioPromptTokens = transcribed.seconds * INPUT_TOKENS_PER_SECOND;
  return { usage: { ...transcribed, promptTokens: audioPromptTokens, audioPromptTokens }, isEstimated: true };
}
