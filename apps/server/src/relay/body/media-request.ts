/** A request whose answer is not text, or whose input is a recording. */
export type MediaRequest = ImageRequest | SpeechRequest | RecordingRequest | RankingRequest;

export interface ImageRequest {
  readonly kind: "image";
  readonly count: number;
  /** As in the request; empty if absent. */
  readonly size: string;
  readonly quality: string;
  readonly partialPictures: number;
  readonly frames: number;
}

interface RankingRequest {
  readonly kind: "ranking";
  readonly searches: number;
}

export interface SpeechRequest {
  readonly kind: "speech";
  readonly characters: number;
  readonly audioFormat: string;
  readonly speed: number;
}

export interface RecordingLength {
  readonly seconds: number;
  /** Upper bound of a provider's measurement; undefined if only the file size bounds it. */
  readonly mostSeconds: number | undefined;
}

export interface RecordingRequest {
  readonly kind: "recording";
  readonly bytes: number;
  /** Undefined if the file does not contain it. */
  readonly length: RecordingLength | undefined;
  readonly answerFormat: string;
}
