import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import type { Secrets } from "../../core/secrets.ts";
import type { SharedCache } from "../../platform/shared-cache.ts";
import { SEALED_COLUMNS } from "./channel.repository.ts";
import type { RelayRow } from "./load-channels-for-relay.ts";

interface SharedChannels {
  readonly rows: readonly RelayRow[];
  readonly leftMs: number;
}

export interface ChannelShare {
  /** Undefined if there is nothing, or it was written with another master key. */
  read(): Promise<SharedChannels | undefined>;
  write(rows: readonly RelayRow[], lifetimeMs: number): Promise<void>;
}

/** More than any difference between two servers' clocks. An older snapshot was replayed. */
const OLDEST_MS = 60_000;

const sharedSchema = z.object({
  writtenMs: z.number(),
  rows: z.array(z.custom<RelayRow>(hasEveryColumn)),
});

function hasEveryColumn(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const row = new Map<string, unknown>(Object.entries(value));
  if (!Array.isArray(row.get("keys"))) return false;
  return SEALED_COLUMNS.every((column) => ["string", "number"].includes(typeof row.get(column)));
}

/**
 * Shares channel rows, sealed with the master key, so that the cache cannot be read or changed.
 * The name contains the columns, which separates servers of other versions.
 */
export function shareChannels(cache: SharedCache, secrets: Secrets, clock: Clock): ChannelShare {
  const name = `one-api:channels:${secrets.lookup(`channels ${SEALED_COLUMNS.join()},keys`).slice(0, 32)}`;
  const open = (sealed: string) => {
    try {
      const json: unknown = JSON.parse(secrets.open("channel-snapshot", sealed, name));
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
    write(rows, lifetimeMs) {
      const json = JSON.stringify({ writtenMs: clock.nowMs(), rows });
      return cache.write(name, secrets.seal("channel-snapshot", json), lifetimeMs);
    },
  };
}
