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
