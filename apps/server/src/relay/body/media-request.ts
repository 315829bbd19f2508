export type MediaRequest = ImageRequest | SpeechRequest | RecordingRequest | RankingRequest;

export interface ImageRequest {
  readonly kind: "image";
  readonly count: number;
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
  readonly length: RecordingLength | undefined;
  readonly answerFormat: string;
}
