import { parentPort } from "node:worker_threads";
import { ALL_FORMATS, BufferSource, Input, type InputAudioTrack } from "mediabunny";
import { parseBuffer } from "music-metadata";
import type { Recording, RecordingLength, SaidByThread } from "./measure-recordings.ts";

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

/** By its frames, as players hear it: what its headers say of its length does not count. */
async function readSound(file: Uint8Array): Promise<RecordingLength | undefined> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const tracks = await input.getAudioTracks();
  const lengths = await Promise.all(tracks.map((track) => track.computeDuration()));
  const rates = await Promise.all(tracks.map(mostBytesPerSecond));
  const seconds = Math.max(0, ...lengths);
  if (!Number.isFinite(seconds) || seconds === 0) return undefined;
  return { seconds, mostSeconds: Math.max(seconds, file.length / Math.max(...rates)) };
}

/** Of sound that is packed with losses: 128 kbit/s. */
const LOSSY_BYTES_PER_SECOND = 16_000;
/** Of sound that is packed without, as people speak: most is half of it. */
const FLAC_BYTES_PER_SECOND = 64_000;

/** What a second of the track has at the most, in bytes: a file that is larger than its length explains may be played for longer than it shows. */
async function mostBytesPerSecond(track: InputAudioTrack): Promise<number> {
  const codec = await track.getCodec();
  if (codec === "flac") return FLAC_BYTES_PER_SECOND;
  const bits = codec === "alaw" || codec === "ulaw" ? 8 : Number(codec?.match(/^pcm-[a-z](\d+)/)?.[1]);
  if (Number.isNaN(bits)) return LOSSY_BYTES_PER_SECOND;
  return ((await track.getSampleRate()) * (await track.getNumberOfChannels()) * bits) / 8;
}

/** By what the file says of itself, which nobody has to keep to: how long it is at the most is not known by that. */
async function readHeader({ file, contentType, fileName }: Recording): Promise<RecordingLength | undefined> {
  const about = { mimeType: contentType, size: file.length, path: fileName };
  const { format } = await parseBuffer(file, about, { skipCovers: true, duration: false });
  const { duration } = format;
  const isLength = duration !== undefined && Number.isFinite(duration) && duration > 0;
  return isLength ? { seconds: duration, mostSeconds: undefined } : undefined;
}
