import path from "node:path";
import { inspect } from "node:util";

/**
 * @typedef {{ type: "file-start" | "file-end" | "file-done", file: string }
 *   | { type: "error-output", file: string, text: string }
 *   | { type: "result", file: string, title: string, isFile: boolean, isSuite: boolean,
 *       outcome: "passed" | "failed" | "skipped", failureType?: string, message?: string }} NodeTestEvent
 *   `file-start` and `file-end` frame a file's process, `file-done` says that it reported every test it has
 */

/**
 * A reporter for `node --test` that writes one JSON object a line: what the counts and the failures are made of.
 * @param {AsyncIterable<{ type: string, data: any }>} source
 */
export default async function* reportLines(source) {
  /** @type {string[]} */
  const titles = [];
  for await (const { type, data } of source) {
    if (type === "test:start") titles.splice(data.nesting, titles.length, data.name);
    const event = toEvent(type, data, titles.slice(0, (data.nesting ?? 0) + 1));
    if (event !== undefined) yield `${JSON.stringify(event)}\n`;
  }
}

/**
 * @param {string} type
 * @param {any} data
 * @param {string[]} titles from the outermost suite to the test
 * @returns {NodeTestEvent | undefined}
 */
function toEvent(type, data, titles) {
  const file = String(data.entryFile ?? data.file ?? "");
  const isFile = data.nesting === 0 && typeof data.name === "string" && path.resolve(data.name) === file;
  if (type === "test:stderr") return { type: "error-output", file, text: String(data.message) };
  if (type === "test:diagnostic" && data.file !== undefined)
    return { type: "error-output", file, text: `${data.message}\n` };
  if (type === "test:summary" && data.file !== undefined) return { type: "file-done", file };
  if (type === "test:dequeue" && isFile) return { type: "file-start", file };
  if (type === "test:complete" && isFile) return { type: "file-end", file };
  if (type !== "test:pass" && type !== "test:fail") return undefined;
  const skipped = data.skip !== undefined || data.todo !== undefined;
  const failure = type === "test:fail" ? describeFailure(data.details?.error) : {};
  return {
    type: "result",
    file,
    title: titles.join(" › "),
    isFile,
    isSuite: data.details?.type === "suite",
    outcome: skipped ? "skipped" : type === "test:pass" ? "passed" : "failed",
    ...failure,
  };
}

/** @param {any} error the runner's own error around the thrown value */
function describeFailure(error) {
  const { exitCode, signal } = error ?? {};
  const ending =
    exitCode === undefined ? "" : `the process ended with ${signal ? `signal ${signal}` : `exit code ${exitCode}`}\n`;
  const cause = error?.cause ?? error;
  const text = typeof cause === "string" ? cause : typeof cause?.stack === "string" ? cause.stack : inspect(cause);
  return { failureType: String(error?.failureType ?? ""), message: ending || withoutRunnerFrames(text) };
}

/** @param {string} text a stack or a message; the runner's and Node's own frames say nothing */
function withoutRunnerFrames(text) {
  return text
    .split("\n")
    .filter((line) => !/^\s+at .*\(?node:/.test(line))
    .join("\n");
}
