import type { SpeechRequest } from "../body/index.ts";

export const MAX_CHARACTERS_PER_SECOND = 25;
const USUAL_CHARACTERS_PER_SECOND = 15;

export class SpokenSound {
  readonly #media: SpeechRequest;
  #bytes = 0;
  #bytesPerSecond: number | undefined;

  constructor(media: SpeechRequest) {
    this.#media = media;
    this.#bytesPerSecond = media.audioFormat === "pcm" ? PCM_BYTES_PER_SECOND : undefined;
  }

  get bytes(): number {
    return this.#bytes;
  }

  add(chunk: Buffer): void {
    if (this.#bytes === 0) this.#bytesPerSecond ??= readBytesPerSecond(chunk);
    this.#bytes += chunk.length;
  }

  /** Length; for formats without a constant rate, that of the whole text. */
  seconds(): number {
    const { characters, speed } = this.#media;
    const whole = characters / (USUAL_CHARACTERS_PER_SECOND * speed);
    return this.#bytesPerSecond === undefined ? whole : this.#bytes / this.#bytesPerSecond;
  }

  /** Upper bound of the characters spoken: all if it is complete or the rate is unknown. */
  characters(isWhole: boolean): number {
    const { characters, speed } = this.#media;
    if (isWhole || this.#bytesPerSecond === undefined) return characters;
    return Math.min(characters, Math.ceil(this.seconds() * MAX_CHARACTERS_PER_SECOND * Math.max(1, speed)));
  }
}

/** 24 kHz, 16 bits, mono. Source: https://platform.openai.com/docs/guides/text-to-speech */
const PCM_BYTES_PER_SECOND = 48_000;

/** Undefined for other formats than WAV and MP3. */
function readBytesPerSecond(beginning: Buffer): number | undefined {
  if (beginning.length >= 32 && beginning.toString("latin1", 0, 4) === "RIFF") {
    const rate = beginning.readUInt32LE(28);
    return rate > 0 ? rate : undefined;
  }
  return readBitRate(beginning);
}

/** In kbit/s by the frame's four bits: MPEG 1 and MPEG 2, layer 3. Source: ISO/IEC 11172-3, 2.4.2.3, and 13818-3 */
const BIT_RATES = [
  [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
] as const;

function readBitRate(beginning: Buffer): number | undefined {
  const at = beginning.toString("latin1", 0, 3) === "ID3" && beginning.length > 10 ? 10 + readTagLength(beginning) : 0;
  const [sync = 0, version = 0, rates = 0] = beginning.subarray(at, at + 3);
  if (sync !== 0xff || (version & 0xe0) !== 0xe0 || (version & 0x06) !== 0x02) return undefined;
  const kilobits = BIT_RATES[(version & 0x18) === 0x18 ? 0 : 1][rates >> 4] ?? 0;
  return kilobits > 0 ? (kilobits * 1_000) / 8 : undefined;
}

/** Four bytes of seven bits each. Source: https://id3.org/id3v2.4.0-structure */
function readTagLength(tag: Buffer): number {
  return [6, 7, 8, 9].reduce((length, at) => length * 128 + ((tag[at] ?? 0) & 0x7f), 0);
}
