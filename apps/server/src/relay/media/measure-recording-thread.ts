import { parentPort } from "node:worker_threads";
import { ALL_FORMATS, BufferSource, Input, type InputAudioTrack } from "mediabunny";
import { parseBuffer } from "music-metadata";
import { measureTrack } from "./measure-track.ts";
import type { Recording, ThreadMessage } from "./measure-recordings.ts";
import type { RecordingLength } from "../body/index.ts";

const send = (message: ThreadMessage) => parentPort?.postMessage(message);

parentPort?.on("message", (recording: Recording) => {
  readLength(recording).then(
    (length) => send({ length }),
    () => send({ length: undefined }),
  );
});
send("ready");

/** Length by the frames, or by the header if the format can only be read that far. */
async function readLength(recording: Recording): Promise<RecordingLength | undefined> {
  return (await readSound(recording.file).catch(() => undefined)) ?? readHeader(recording);
}

/** Largest plausible ratio of the measured length to the declared one. */
const MAX_DECLARED_RATIO = 1.5;
/** Padding that players skip at the ends, recorded in containers. */
const PADDING_SECONDS = 0.1;

/** By frames, independent of headers. Undefined if the first frames exceed the declared length. The rest may be a second recording. */
async function readSound(file: Uint8Array): Promise<RecordingLength | undefined> {
  using input = new Input({ formats: ALL_FORMATS, source: new BufferSource(file) });
  const tracks = await input.getAudioTracks();
  const lengths = await Promise.all(tracks.map((track) => track.computeDuration()));
  const measured = await Promise.all((await input.getTracks()).map(measureTrack));
  const measuredSeconds = Math.max(0, ...measured.map((track) => track.seconds));
  const declaredSeconds = Math.max(0, ...lengths);
  const seconds = Math.max(measuredSeconds - PADDING_SECONDS, declaredSeconds);
  const isWhole = measured.every((track) => track.isWhole);
  if (
    !Number.isFinite(seconds) ||
    seconds === 0 ||
    (!isWhole && measuredSeconds > declaredSeconds * MAX_DECLARED_RATIO)
  )
    return undefined;
  const measuredBytes = measured.reduce((sum, { bytes }) => sum + bytes, 0);
  const leastRate = isWhole
    ? SMALLEST_BYTES_PER_SECOND
    : Math.max(SMALL_BYTES_PER_SECOND, measuredBytes / measuredSeconds / MAX_RATE_RATIO);
  const rates = await Promise.all(tracks.map((track) => bytesPerSecond(track, leastRate)));
  const unmeasured = Math.max(0, file.length - measuredBytes);
  const unmeasuredSeconds = unmeasured / Math.min(...rates.map(({ least }) => least));
  const bySize = file.length / Math.max(...rates.map(({ most }) => most));
  return { seconds, mostSeconds: Math.max(seconds, measuredSeconds + unmeasuredSeconds, bySize) };
}

/** Smallest sound. A file may contain this much more behind the measured recording. */
const SMALLEST_BYTES_PER_SECOND = 1_000;
/** Smallest sound after measured frames that resemble it. */
const SMALL_BYTES_PER_SECOND = 3_000;
const MAX_RATE_RATIO = 3;
/** Lossy compression: 128 kbit/s. */
const LOSSY_BYTES_PER_SECOND = 16_000;
/** Lossless compression of speech: usually half of this. */
const FLAC_BYTES_PER_SECOND = 64_000;

/** `most`: a larger file may play longer than it declares. `least`: for the unmeasured rest. */
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

/** Length by the file's header, which proves no upper bound. */
async function readHeader({ file, contentType, fileName }: Recording): Promise<RecordingLength | undefined> {
  const about = { mimeType: contentType, size: file.length, path: fileName };
  const { format } = await parseBuffer(file, about, { skipCovers: true, duration: false });
  const { duration } = format;
  const isLength = duration !== undefined && Number.isFinite(duration) && duration > 0;
  return isLength ? { seconds: duration, mostSeconds: undefined } : undefined;
}
