import type { Queryable } from "../../core/transaction.ts";
import { type Clock, nowSeconds } from "../../platform/clock.ts";
import {
  deleteExpiredStoredObjects,
  findStoredObjects,
  insertStoredObjects,
  type StoredObjectOwner,
  type NewStoredObject,
} from "../../features/stored-objects/index.ts";
import type { Logger } from "pino";
import type { Caller } from "../callers/index.ts";

/** OpenAI stores responses for thirty days. Source: https://platform.openai.com/docs/guides/your-data */
const RESPONSE_SECONDS = 30 * 24 * 60 * 60;
/** Rows of one statement. */
const MOST_TOGETHER = 200;

export interface StoredObjects {
  /** Records the owner of a response that the provider stores; undefined ids are ignored. Never throws, and is not awaited. */
  recordResponse(objectId: string | undefined, caller: Caller, channelId: number): void;
  find(objectIds: readonly string[]): Promise<readonly StoredObjectOwner[]>;
  sweep(): Promise<void>;
  /** Resolves when all records are in the database. */
  written(): Promise<void>;
}

/** Builds the register. Records are written in batches, and found here until they are written. */
export function createStoredObjects(db: Queryable, clock: Clock, log: Logger): StoredObjects {
  const waiting = new Map<string, NewStoredObject>();
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    while (waiting.size > 0) {
      const some = [...waiting.values()].slice(0, MOST_TOGETHER);
      try {
        await insertStoredObjects(db, some);
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
      const known = left.length === 0 ? [] : await findStoredObjects(db, left, nowSeconds(clock));
      return [...fresh, ...known];
    },
    sweep: () => deleteExpiredStoredObjects(db, nowSeconds(clock)),
    written: async () => {
      await writing;
    },
  };
}
