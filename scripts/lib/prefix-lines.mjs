import { createInterface } from "node:readline";

/**
 * Copies a stream to standard output line by line, each line behind a label.
 * @param {import("node:stream").Readable} stream
 * @param {string} label
 */
export function prefixLines(stream, label) {
  createInterface({ input: stream }).on("line", (line) => console.log(`${label} ${line}`));
}
