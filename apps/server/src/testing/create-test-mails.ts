import { OPTION_DEFINITIONS, type OptionKey } from "@one-api/contract/options/option-definitions";
import type { OpenDatabase } from "@one-api/database/open-database";
import { ROLE } from "@one-api/contract/accounts/roles";
import { type CallContext, contextOfGateway } from "../core/call-context.ts";
import { createChangeFeed } from "../core/change-feed.ts";
import { createLog } from "../platform/logging/create-log.ts";
import { createSecrets } from "../core/secrets.ts";
import {
  createMailer,
  createMessagePusher,
  type DeliveryDeps,
  type MailMessage,
  mailMessageSchema,
} from "../features/mail/index.ts";
import { type NoticeDeps, postNotice } from "../features/notifications/index.ts";
import { createOptionStore, type LoadedOptionStore } from "../features/options/index.ts";
import { findRootContact } from "../features/users/index.ts";
import type { Queryable } from "../core/transaction.ts";
import type { TestUser } from "./create-test-user.ts";
import { createTestClock, type TestClock } from "./test-clock.ts";

/** Dependencies of messages, without a running server. */
export interface TestMails extends DeliveryDeps, Pick<NoticeDeps, "secrets" | "post"> {
  readonly clock: TestClock;
  readonly options: LoadedOptionStore;
  readonly findRootLanguage: (queryable: Queryable) => Promise<string>;
  set(options: Partial<Record<OptionKey, string>>): Promise<void>;
  contextOf(user: TestUser): CallContext;
  /** Removes and returns the outbox, oldest first. */
  takeQueued(): Promise<{ readonly recipient: string; readonly message: MailMessage }[]>;
  /** Texts of the system log, oldest first. */
  systemLog(): Promise<string[]>;
}

/** Starts no periodic job. */
export async function createTestMails(database: OpenDatabase): Promise<TestMails> {
  const secrets = createSecrets("a master key for tests");
  const log = createLog("silent");
  const changes = createChangeFeed();
  const clock = createTestClock();
  const options = await createOptionStore({ database, secrets, changes, log });
  const { db } = database;
  return {
    database,
    clock,
    secrets,
    options,
    post: postNotice,
    mailer: createMailer(options),
    pusher: createMessagePusher(options),
    findRootEmail: async (queryable) => (await findRootContact(queryable)).email,
    findRootLanguage: async (queryable) => (await findRootContact(queryable)).language,
    async set(values) {
      for (const [key, text] of Object.entries(values)) {
        const isSecret = key in OPTION_DEFINITIONS && ["SMTPToken", "MessagePusherToken"].includes(key);
        const value = isSecret && text !== "" ? secrets.seal("option", text) : text;
        await db.deleteFrom("options").where("key", "=", key).execute();
        await db.insertInto("options").values({ key, value }).execute();
      }
      await options.reload();
    },
    contextOf({ id, username }) {
      const actor = { id, username, role: ROLE.user, group: "default", via: "session" } as const;
      return {
        ...contextOfGateway({ database, clock, secrets, changes }),
        actor,
        address: "127.0.0.1",
        requestId: "test",
      };
    },
    async takeQueued() {
      const rows = await db.deleteFrom("outbox").returning(["id", "recipient", "message"]).execute();
      return rows
        .toSorted((left, right) => left.id - right.id)
        .map(({ recipient, message }) => ({ recipient, message: mailMessageSchema.parse(JSON.parse(message)) }));
    },
    async systemLog() {
      const rows = await db.selectFrom("logs").select("content").where("type", "=", 4).orderBy("id").execute();
      return rows.map(({ content }) => content);
    },
  };
}
