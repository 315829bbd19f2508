import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import type { Secrets } from "../../core/secrets.ts";
import type { SharedCache } from "../../platform/shared-cache.ts";
import { SEALED_COLUMNS, type SealedChannelRow } from "./channel.repository.ts";

/** Rows that another server has read. */
interface SharedChannels {
  readonly rows: readonly SealedChannelRow[];
  /** How long they may still be used. */
  readonly leftMs: number;
}

/** The enabled channels as one server has read them, for all others. */
export interface ChannelShare {
  /** What another server has left; undefined where there is nothing, or it was not made with the same master key. */
  read(): Promise<SharedChannels | undefined>;
  write(rows: readonly SealedChannelRow[], keepMs: number): Promise<void>;
}

/** Nobody's clock is this far from another's; what is older was put back by somebody. */
const OLDEST_MS = 60_000;

const sharedSchema = z.object({
  writtenMs: z.number(),
  rows: z.array(z.custom<SealedChannelRow>(hasEveryColumn)),
});

function hasEveryColumn(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const row = new Map<string, unknown>(Object.entries(value));
  return SEALED_COLUMNS.every((column) => ["string", "number"].includes(typeof row.get(column)));
}

/**
 * Shares the rows of channels. They are sealed as a whole with the master key: nobody who reads the cache learns where channels lead, and nobody
 * who writes to it can have a key sent elsewhere. Servers of another version, whose rows have other columns, share among themselves.
 */
export function shareChannels(cache: SharedCache, secrets: Secrets, clock: Clock): ChannelShare {
  const name = `one-api:channels:${secrets.lookup(`channels ${SEALED_COLUMNS.join()}`).slice(0, 32)}`;
  const open = (sealed: string) => {
    try {
      const json: unknown = JSON.parse(secrets.open("channel-snapshot", sealed));
      const { writtenMs, rows } = sharedSchema.parse(json);
      return Math.abs(clock.nowMs() - writtenMs) > OLDEST_MS ? undefined : rows;
    } catch {
      return undefined;
    }
  };
  return {
    async read() {
      const found = await cache.read(name);
      const rows = found && open(found.text);
      return rows && { rows, leftMs: found.leftMs };
    },
    write(rows, keepMs) {
      const json = JSON.stringify({ writtenMs: clock.nowMs(), rows });
      return cache.write(name, secrets.seal("channel-snapshot", json), keepMs);
    },
  };
}
