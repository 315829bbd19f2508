import { type EncodedPacket, EncodedPacketSink, type InputTrack } from "mediabunny";

/** What was heard of a track, packet by packet. */
export interface HeardTrack {
  /** As a decoder plays the packets, whatever their container says of when; 0 of pictures. */
  readonly seconds: number;
  /** Of the packets, with what a container has around each at the most. */
  readonly bytes: number;
  /** False where there are more packets than are listened to. */
  readonly isWhole: boolean;
}

/** Takes a sixth of a second: four minutes and more. */
const MOST_PACKETS = 12_000;
/** A container has so many bytes around a packet at the most, of its own or as its part of a table. */
const AROUND_PACKET_BYTES = 24;

/** Listens to a track; of pictures only how large they are counts. */
export async function hearTrack(track: InputTrack): Promise<HeardTrack> {
  const codec = await track.getCodec();
  const sampleRate = track.isAudioTrack() ? await track.getSampleRate() : undefined;
  let [packets, seconds, bytes] = [0, 0, 0];
  for await (const packet of new EncodedPacketSink(track).packets()) {
    packets += 1;
    if (packets > MOST_PACKETS) break;
    if (sampleRate !== undefined) seconds += secondsOf(packet, codec, sampleRate);
    bytes += packet.byteLength + AROUND_PACKET_BYTES;
  }
  // Thousands of parts that are no whole numbers do not add up to one.
  return { seconds: Math.round(seconds * 1_000) / 1_000, bytes, isWhole: packets <= MOST_PACKETS };
}

const AAC_SAMPLES = 1_024;

function secondsOf({ data, duration }: EncodedPacket, codec: string | null, sampleRate: number): number {
  if (codec === "opus") return opusSeconds(data);
  if (codec === "mp3") return mp3Seconds(data) ?? duration;
  return codec === "aac" ? AAC_SAMPLES / sampleRate : duration;
}

/** What a frame lasts, by the mode that is the upper five bits of a packet's first byte, in ms (RFC 6716, 3.1). */
const SILK_MS = [10, 20, 40, 60];
const HYBRID_MS = [10, 20];
const CELT_MS = [2.5, 5, 10, 20];

function opusSeconds([head = 0, count = 0]: Uint8Array): number {
  const mode = head >> 3;
  const ofMode = mode < 12 ? SILK_MS[mode % 4] : mode < 16 ? HYBRID_MS[mode % 2] : CELT_MS[mode % 4];
  const kind = head & 3;
  const frames = kind === 0 ? 1 : kind < 3 ? 2 : count & 63;
  return (frames * (ofMode ?? 0)) / 1_000;
}

/** Of the first version in Hz; the second has half of it, the extension of that a quarter. */
const MP3_RATES = [44_100, 48_000, 32_000];

/** By the head of the frame; undefined where it has none (ISO 11172-3, 2.4.1.3). */
function mp3Seconds([, version = 0, rate = 0]: Uint8Array): number | undefined {
  const rateOfFirst = MP3_RATES[(rate >> 2) & 3];
  if (rateOfFirst === undefined) return undefined;
  const bits = (version >> 3) & 3;
  if (bits === 3) return 1_152 / rateOfFirst;
  return 576 / (rateOfFirst / (bits === 2 ? 2 : 4));
}
