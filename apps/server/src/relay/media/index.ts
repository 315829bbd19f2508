export type { Asker } from "./measure-recordings.ts";
export {
  HEARD_TOKENS_PER_SECOND,
  mediaUpperBound,
  recordingSeconds,
  SPOKEN_TOKENS_PER_SECOND,
  tokensOfPicture,
} from "./media-upper-bound.ts";
export { readImageRequest, readNumbers } from "./read-image-request.ts";
export { readRankingRequest } from "./read-ranking-request.ts";
export { measureRecording, readRecordingRequest, readSpeechRequest } from "./read-sound-request.ts";
export { MOST_CHARACTERS_PER_SECOND, SpokenSound } from "./spoken-sound.ts";
