import { OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/option";
import type { OpenDatabase } from "@one-api/database/open-database";
import { createChangeFeed } from "../core/change-feed.ts";
import { createLog } from "../core/create-log.ts";
import { createSecrets } from "../core/secrets.ts";
import { createMailer, createMessagePusher, type DeliveryDeps } from "../features/mail/index.ts";
import { createOptionStore, type LoadedOptionStore } from "../features/options/index.ts";
import { findRootContact } from "../features/users/index.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** What messages are written and sent with, on a database without a server beside it. */
export interface TestMails extends DeliveryDeps {
  readonly clock: TestClock;
  readonly options: LoadedOptionStore;
  readonly findRootLanguage: () => Promise<string>;
  /** Stores options as the settings do. */
  set(options: Partial<Record<OptionKey, string>>): Promise<void>;
  /** What the system log says, oldest first. */
  systemLog(): Promise<string[]>;
}

/** Connects what sends messages to the database; nothing runs by itself. */
export async function createTestMails(database: OpenDatabase): Promise<TestMails> {
  const secrets = createSecrets("a master key for tests");
  const log = createLog("silent");
  const options = await createOptionStore({ database, secrets, changes: createChangeFeed(), log });
  const { db } = database;
  return {
    database,
    clock: createTestClock(),
    options,
    mailer: createMailer(options),
    pusher: createMessagePusher(options),
    findRootEmail: async (queryable) => (await findRootContact(queryable)).email,
    findRootLanguage: async () => (await findRootContact(db)).language,
    async set(values) {
      for (const [key, text] of Object.entries(values)) {
        const isSecret = key in OPTION_DEFINITIONS && ["SMTPToken", "MessagePusherToken"].includes(key);
        const value = isSecret && text !== "" ? secrets.seal("option", text) : text;
        await db.deleteFrom("options").where("key", "=", key).execute();
        await db.insertInto("options").values({ key, value }).execute();
      }
      await options.reload();
    },
    async systemLog() {
      const rows = await db.selectFrom("logs").select("content").where("type", "=", 4).orderBy("id").execute();
      return rows.map(({ content }) => content);
    },
  };
}
