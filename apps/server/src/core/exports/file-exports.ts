import { setTimeout as wait } from "node:timers/promises";
import { nowSeconds } from "../../platform/clock.ts";
import { AppError } from "../app-error.ts";
import { type CallContext, requireActor } from "../call-context.ts";
import type { Download } from "../call-registry.ts";
import type { FileLines } from "./file-lines.ts";

const MOST_EXPORTS = 6;
const MOST_OF_A_USER = 2;

interface FileExport<Row> {
  /** Start of the file's name. */
  readonly name: string;
  readonly format: string;
  readonly lines: FileLines<Row>;
  /** In groups of rows that are read at once. */
  readonly rows: AsyncIterable<readonly Row[]>;
  /** Writes the audit row of the export; runs once the export has started. */
  record(): Promise<void>;
}

export interface FileExports {
  /** Throws `log-export-running` at the limit of concurrent exports. */
  open<Row>(context: CallContext, wanted: FileExport<Row>): Promise<Download>;
}

/** Streams rows as files; all exports of this server share their limit. */
export function createFileExports(isStopping: () => boolean): FileExports {
  const running: number[] = [];
  async function* write<Row>(actorId: number, { lines, rows }: FileExport<Row>): AsyncGenerator<string> {
    if (running.length >= MOST_EXPORTS || running.filter((id) => id === actorId).length >= MOST_OF_A_USER) throw busy();
    running.push(actorId);
    try {
      yield lines.head;
      let beganMs = performance.now();
      for await (const group of rows) {
        const text = group.map((row) => lines.line(row)).join("");
        // The error breaks the connection, so that an incomplete file does not look complete.
        if (isStopping()) throw new AppError("unavailable", "The server stops. Export again in a moment.");
        const tookMs = performance.now() - beganMs;
        if (text !== "") yield text;
        // Pauses for half of the time, so that other calls are served.
        await wait(Math.max(1, tookMs));
        beganMs = performance.now();
      }
    } finally {
      running.splice(running.indexOf(actorId), 1);
    }
  }
  return {
    async open(context, wanted) {
      const pieces = write(requireActor(context).id, wanted);
      // Starts the export, so that a refusal comes before the first byte.
      const first = await pieces.next();
      try {
        await wanted.record();
      } catch (error) {
        await pieces.return(undefined);
        throw error;
      }
      const day = new Date(nowSeconds(context.clock) * 1_000).toISOString().slice(0, 10);
      return {
        contentType: wanted.lines.contentType,
        fileName: `${wanted.name}-${day}.${wanted.format}`,
        pieces: beginningWith(first, pieces),
      };
    },
  };
}

/**
 * The running export with its first piece. It has started already, so `return` frees its slot even if it is
 * never read.
 */
function beginningWith(first: IteratorResult<string>, rest: AsyncGenerator<string>): AsyncIterable<string> {
  let waiting: IteratorResult<string> | undefined = first;
  return {
    [Symbol.asyncIterator]: () => ({
      async next() {
        const piece = waiting;
        waiting = undefined;
        return piece ?? rest.next();
      },
      return: () => rest.return(undefined),
    }),
  };
}

function busy(): AppError {
  return new AppError("log-export-running", "Enough exports are running. Wait until one of them has ended.");
}
