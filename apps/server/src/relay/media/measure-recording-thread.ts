import { parentPort } from "node:worker_threads";
import { ALL_FORMATS, BufferSource, Input, type InputAudioTrack } from "mediabunny";
import { parseBuffer } from "music-metadata";
import { hearTrack } from "./hear-packets.ts";
import type { Recording, SaidByThread } from "./measure-recordings.ts";
import type { RecordingLength } from "../body/index.ts";

/** The thread that measures recordings, one at a time, in order. */
const say = (said: SaidByThread) => parentPort?.postMessage(said);

parentPort?.on("message", (recording: Recording) => {
  readLength(recording).then(
    (length) => say({ length }),
    () => say({ length: undefined }),
  );
});
say("ready");

/** How long a recording is by the sound in it, or by what its file says where its format can only be read that far. */
async function readLength(recording: Recording): Promise<RecordingLength | undefined> {
  return (await readSound(recording.file).catch(() => undefined)) ?? readHeader(recording);
}

/** What was heard is longer by that at the most than the whole is said to be, where nobody lies. */
const TIMES_SAID = 1.5;
/** Players leave out so much at both ends, which containers know. */
const LEFT_OUT_SECONDS = 0.1;

/**
 * By its frames, as players hear it: what its headers say of its length does not count. Undefined where the first of its frames are longer
 * than it says that all are. What of the file is no frame that was heard may be another recording behind the first.
 */
async function readSound(file: Uint8Array): Promise<RecordingLength | undefined> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const tracks = await input.getAudioTracks();
  const lengths = await Promise.all(tracks.map((track) => track.computeDuration()));
  const heard = await Promise.all((await input.getTracks()).map(hearTrack));
  const heardSeconds = Math.max(0, ...heard.map((track) => track.seconds));
  const saidSeconds = Math.max(0, ...lengths);
  const seconds = Math.max(heardSeconds - LEFT_OUT_SECONDS, saidSeconds);
  const isWhole = heard.every((track) => track.isWhole);
  if (!Number.isFinite(seconds) || seconds === 0 || (!isWhole && heardSeconds > saidSeconds * TIMES_SAID))
    return undefined;
  const heardBytes = heard.reduce((sum, { bytes }) => sum + bytes, 0);
  const leastUnheard = isWhole
    ? SMALLEST_BYTES_PER_SECOND
    : Math.max(SMALL_BYTES_PER_SECOND, heardBytes / heardSeconds / TIMES_QUIETER);
  const rates = await Promise.all(tracks.map((track) => bytesPerSecond(track, leastUnheard)));
  const unheard = Math.max(0, file.length - heardBytes);
  const unheardSeconds = unheard / Math.min(...rates.map(({ least }) => least));
  const bySize = file.length / Math.max(...rates.map(({ most }) => most));
  return { seconds, mostSeconds: Math.max(seconds, heardSeconds + unheardSeconds, bySize) };
}

/** A second of the smallest sound: who puts two files into one may have put so much of it behind the first. */
const SMALLEST_BYTES_PER_SECOND = 1_000;
/** Of what follows behind what was heard, and is much like it: so much, … */
const SMALL_BYTES_PER_SECOND = 3_000;
/** … or this part of what was heard. */
const TIMES_QUIETER = 3;
/** Of sound that is packed with losses: 128 kbit/s. */
const LOSSY_BYTES_PER_SECOND = 16_000;
/** Of sound that is packed without, as people speak: most is half of it. */
const FLAC_BYTES_PER_SECOND = 64_000;

/**
 * What a second of the track has in bytes: at the most, as a file that is larger than its length explains may be played for longer than it shows, and where
 * it was not heard `least`, unless all its seconds have as much.
 */
async function bytesPerSecond(
  track: InputAudioTrack,
  least: number,
): Promise<{ readonly least: number; readonly most: number }> {
  const codec = await track.getCodec();
  if (codec === "flac") return { least, most: FLAC_BYTES_PER_SECOND };
  const bits = codec === "alaw" || codec === "ulaw" ? 8 : Number(codec?.match(/^pcm-[a-z](\d+)/)?.[1]);
  if (Number.isNaN(bits)) return { least, most: LOSSY_BYTES_PER_SECOND };
  const exact = ((await track.getSampleRate()) * (await track.getNumberOfChannels()) * bits) / 8;
  return { least: exact, most: exact };
}

/** By what the file says of itself, which nobody has to keep to: how long it is at the most is not known by that. */
async function readHeader({ file, contentType, fileName }: Recording): Promise<RecordingLength | undefined> {
  const about = { mimeType: contentType, size: file.length, path: fileName };
  const { format } = await parseBuffer(file, about, { skipCovers: true, duration: false });
  const { duration } = format;
  const isLength = duration !== undefined && Number.isFinite(duration) && duration > 0;
  return isLength ? { seconds: duration, mostSeconds: undefined } : undefined;
}
