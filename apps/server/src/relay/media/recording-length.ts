/**
 * Returns how long a recording is by what its file says, in seconds; undefined where it cannot be read. Files can lie: what the provider reports,
 * and what was written down, counts beside it.
 */
export async function readRecordingLength(
  file: Uint8Array,
  { contentType, fileName }: { readonly contentType: string; readonly fileName: string },
): Promise<number | undefined> {
  try {
    // A large library, which few servers ever need.
    const { parseBuffer } = await import("music-metadata");
    const about = { mimeType: contentType, size: file.length, path: fileName };
    const { format } = await parseBuffer(file, about, { skipCovers: true, duration: false });
    const { duration } = format;
    return duration !== undefined && Number.isFinite(duration) && duration > 0 ? duration : undefined;
  } catch {
    return undefined;
  }
}

const TIME = /-->\s*(?:(\d{1,4}):)?(\d{1,2}):(\d{1,2})[.,](\d{1,3})/g;

/** When the last line of subtitles (SRT, WebVTT) ends, in seconds; 0 for a text without times. */
export function lastTimeOf(text: string): number {
  let last = 0;
  for (const [, hours = "0", minutes, seconds, thousandths] of text.matchAll(TIME)) {
    const time = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds) + Number(`0.${thousandths}`);
    last = Math.max(last, time);
  }
  return last;
}
