/** A request whose answer is not a model's text, or whose input is a recording. */
export type MediaRequest = ImageRequest | SpeechRequest | RecordingRequest | RankingRequest;

/** Asks for images. */
export interface ImageRequest {
  readonly kind: "image";
  readonly count: number;
  /** As the request names them; empty where it does not. */
  readonly size: string;
  readonly quality: string;
  /** Previews of each image. */
  readonly partialPictures: number;
  /** Frames of each image. */
  readonly frames: number;
}

/** Asks for a ranking of documents. */
interface RankingRequest {
  readonly kind: "ranking";
  /** Upper bound of the searches that a provider may bill. */
  readonly searches: number;
}

/** Asks for a text to be spoken. */
export interface SpeechRequest {
  readonly kind: "speech";
  readonly characters: number;
  /** Format of the audio, such as `mp3`. */
  readonly audioFormat: string;
  /** Speaking rate; 1 is the usual one. */
  readonly speed: number;
}

/** Length of a recording, in seconds. */
export interface RecordingLength {
  readonly seconds: number;
  /** Upper bound of what a provider may measure; undefined where only the file's size bounds that. */
  readonly mostSeconds: number | undefined;
}

/** Asks for a transcript or a translation of a recording. */
export interface RecordingRequest {
  readonly kind: "recording";
  readonly bytes: number;
  /** As measured; undefined where the file does not say. */
  readonly length: RecordingLength | undefined;
  /** Format of the transcript, such as `json` or `srt`. */
  readonly answerFormat: string;
}
