import type { Redis } from "./redis.ts";

interface SharedText {
  readonly text: string;
  readonly leftMs: number;
}

export interface SharedCache {
  /** Undefined without an entry or without an answer in time. Never throws. */
  read(name: string): Promise<SharedText | undefined>;
  /** Stores a text if possible. Never throws. */
  write(name: string, text: string, lifetimeMs: number): Promise<void>;
}

export function createSharedCache(redis: Pick<Redis, "ask">): SharedCache {
  return {
    async read(name) {
      const found = await redis.ask((client) => Promise.all([client.get(name), client.pTTL(name)]));
      const [text, leftMs] = found ?? [null, 0];
      return text === null || leftMs <= 0 ? undefined : { text, leftMs };
    },
    async write(name, text, lifetimeMs) {
      const expiration = { type: "PX", value: Math.max(1, Math.floor(lifetimeMs)) } as const;
      await redis.ask((client) => client.set(name, text, { expiration }));
    },
  };
}
