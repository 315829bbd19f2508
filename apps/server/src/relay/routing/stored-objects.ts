import type { Queryable } from "../../core/transaction.ts";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import {
  deleteExpiredKeptObjects,
  findKeptObjects,
  insertKeptObjects,
  type KeptPlace,
  type NewKeptObject,
} from "../../features/kept-objects/index.ts";
import type { Logger } from "pino";
import type { Caller } from "../callers/index.ts";

/** OpenAI keeps answers for thirty days. Source: https://platform.openai.com/docs/guides/your-data */
const RESPONSE_SECONDS = 30 * 24 * 60 * 60;
/** So many rows go into one statement. */
const MOST_TOGETHER = 200;

/** Knows what providers keep for callers. */
export interface StoredObjects {
  /** Remembers whose an answer is that a provider keeps, if it does. Never throws, and nobody waits for it. */
  recordResponse(objectId: string | undefined, caller: Caller, channelId: number): void;
  /** Where things of those ids are, and whose. */
  find(objectIds: readonly string[]): Promise<readonly KeptPlace[]>;
  /** Forgets what has expired. */
  sweep(): Promise<void>;
  /** Resolves when all that was noted is in the database. */
  written(): Promise<void>;
}

/** Builds the memory. Answers that come at once are written together; until they are, they are found here. */
export function createStoredObjects(db: Queryable, clock: Clock, log: Logger): StoredObjects {
  const waiting = new Map<string, NewKeptObject>();
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    while (waiting.size > 0) {
      const some = [...waiting.values()].slice(0, MOST_TOGETHER);
      try {
        await insertKeptObjects(db, some);
      } catch (error) {
        log.error({ err: error }, "whose some stored answers are could not be written down");
      }
      for (const { object_id: id } of some) waiting.delete(id);
    }
    writing = undefined;
  };
  return {
    recordResponse(objectId, { userId, tokenId }, channelId) {
      if (objectId === undefined) return;
      const at = nowSeconds(clock);
      waiting.set(objectId, {
        object_id: objectId,
        kind: "response",
        user_id: userId,
        token_id: tokenId,
        channel_id: channelId,
        size: 0,
        created_at: at,
        expires_at: at + RESPONSE_SECONDS,
        data: "",
      });
      writing ??= write();
    },
    async find(objectIds) {
      const fresh = objectIds.flatMap((id) => waiting.get(id) ?? []);
      const left = objectIds.filter((id) => !waiting.has(id));
      const known = left.length === 0 ? [] : await findKeptObjects(db, left, nowSeconds(clock));
      return [...fresh, ...known];
    },
    sweep: () => deleteExpiredKeptObjects(db, nowSeconds(clock)),
    written: async () => {
      await writing;
    },
  };
}
