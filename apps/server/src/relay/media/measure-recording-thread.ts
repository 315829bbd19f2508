import { parentPort } from "node:worker_threads";
import { parseBuffer } from "music-metadata";
import type { Recording, SaidByThread } from "./measure-recordings.ts";

/** The thread that measures recordings, one at a time, in order. */
const say = (said: SaidByThread) => parentPort?.postMessage(said);

parentPort?.on("message", (recording: Recording) => {
  readLength(recording).then(
    (seconds) => say({ seconds }),
    () => say({ seconds: undefined }),
  );
});
say("ready");

/** How long a recording is by what its file says. Files can lie: what the provider reports, and what was written down, counts beside it. */
async function readLength({ file, contentType, fileName }: Recording): Promise<number | undefined> {
  const about = { mimeType: contentType, size: file.length, path: fileName };
  const { format } = await parseBuffer(file, about, { skipCovers: true, duration: false });
  const { duration } = format;
  return duration !== undefined && Number.isFinite(duration) && duration > 0 ? duration : undefined;
}
