import { imageFactor } from "@one-api/providers/prices/image-prices";
import type { Usage } from "@one-api/providers/usage";
import {
  HEARD_TOKENS_PER_SECOND,
  MOST_CHARACTERS_PER_SECOND,
  recordingSeconds,
  SPOKEN_TOKENS_PER_SECOND,
  tokensOfPicture,
} from "../media/index.ts";
import type { ImageRequest, MediaRequest, RecordingRequest } from "../body/index.ts";

/** Usage that can be charged, whatever the model is priced by. */
export interface CompletedUsage {
  readonly usage: Usage;
  /** The provider has not said how many tokens it used. */
  readonly isEstimated: boolean;
}

/** Whose usage it is. */
export interface UsageOrigin {
  /** As the provider names it. */
  readonly model: string;
  /** Shorter recordings are billed as of so many seconds; absent where each is billed by its own length. */
  readonly leastSeconds?: number | undefined;
}

/** Returns what pictures or sound have used: as reported, and what no report tells. `used` says what was delivered. */
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

/** Characters of a text that are one token. */
const CHARACTERS_PER_TOKEN = 4;

/** `used.seconds` is how much was spoken. */
function ofSpeech(used: Usage): CompletedUsage {
  const spoken = { ...used, seconds: 0 };
  const promptTokens = used.promptTokens || Math.ceil(used.characters / CHARACTERS_PER_TOKEN);
  if (used.completionTokens > 0) return { usage: { ...spoken, promptTokens }, isEstimated: false };
  const seconds = used.seconds > 0 ? used.seconds : used.characters / MOST_CHARACTERS_PER_SECOND;
  const completionTokens = Math.ceil(seconds * SPOKEN_TOKENS_PER_SECOND);
  return { usage: { ...spoken, promptTokens, completionTokens }, isEstimated: true };
}

/** `used.characters` is how much was written down: nobody says more in a second, whatever the file says of its length. */
function ofRecording(media: RecordingRequest, used: Usage, leastSeconds: number): CompletedUsage {
  const least = used.characters / MOST_CHARACTERS_PER_SECOND;
  const measured = Math.ceil(Math.max(recordingSeconds(media), least));
  const seconds = Math.max(used.seconds > 0 ? used.seconds : measured, leastSeconds);
  const heard = { ...used, characters: 0, seconds };
  if (used.promptTokens > 0) return { usage: heard, isEstimated: false };
  const audioPromptTokens = heard.seconds * HEARD_TOKENS_PER_SECOND;
  return { usage: { ...heard, promptTokens: audioPromptTokens, audioPromptTokens }, isEstimated: true };
}
