export type { Requester } from "./measure-recordings.ts";
export {
  INPUT_TOKENS_PER_SECOND,
  mediaUpperBound,
  recordingSeconds,
  SPEECH_TOKENS_PER_SECOND,
  tokensOfPicture,
} from "./media-upper-bound.ts";
export { readImageRequest, readNumbers } from "./read-image-request.ts";
export { readRankingRequest } from "./read-ranking-request.ts";
export { measureRecording, readRecordingRequest, readSpeechRequest } from "./read-sound-request.ts";
export { MAX_CHARACTERS_PER_SECOND, SpokenSound } from "./spoken-sound.ts";
