import { type EncodedPacket, EncodedPacketSink, type InputTrack } from "mediabunny";

export interface MeasuredTrack {
  /** Playing time of the packets, independent of the container's timestamps; 0 for images. */
  readonly seconds: number;
  readonly bytes: number;
  readonly isWhole: boolean;
}

/** Four minutes or more, read in a sixth of a second. */
const MAX_PACKETS = 12_000;
const PACKET_OVERHEAD_BYTES = 24;

/** Images count by size alone. */
export async function measureTrack(track: InputTrack): Promise<MeasuredTrack> {
  const codec = await track.getCodec();
  const sampleRate = track.isAudioTrack() ? await track.getSampleRate() : undefined;
  let [packets, seconds, bytes] = [0, 0, 0];
  for await (const packet of new EncodedPacketSink(track).packets()) {
    packets += 1;
    if (packets > MAX_PACKETS) break;
    if (sampleRate !== undefined) seconds += secondsOf(packet, codec, sampleRate);
    bytes += packet.byteLength + PACKET_OVERHEAD_BYTES;
  }
  return { seconds: Math.round(seconds * 1_000) / 1_000, bytes, isWhole: packets <= MAX_PACKETS };
}

const AAC_SAMPLES = 1_024;

function secondsOf({ data, duration }: EncodedPacket, codec: string | null, sampleRate: number): number {
  if (codec === "opus") return opusSeconds(data);
  if (codec === "mp3") return mp3Seconds(data) ?? duration;
  return codec === "aac" ? AAC_SAMPLES / sampleRate : duration;
}

/** Frame duration in ms by mode, the upper five bits of the first byte (RFC 6716, 3.1). */
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

/** Rates of MPEG 1, in Hz. MPEG 2 has half, MPEG 2.5 a quarter. */
const MP3_RATES = [44_100, 48_000, 32_000];

/** Undefined without a frame header (ISO 11172-3, 2.4.1.3). */
function mp3Seconds([, version = 0, rate = 0]: Uint8Array): number | undefined {
  const rateOfFirst = MP3_RATES[(rate >> 2) & 3];
  if (rateOfFirst === undefined) return undefined;
  const bits = (version >> 3) & 3;
  if (bits === 3) return 1_152 / rateOfFirst;
  return 576 / (rateOfFirst / (bits === 2 ? 2 : 4));
}
