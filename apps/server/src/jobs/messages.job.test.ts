import assert from "node:assert/strict";
import { test } from "node:test";
import { createTokenInputSchema } from "@one-api/contract/token";
import { openTestDatabase } from "@one-api/database/test-databases";
import { createLog } from "../platform/logging/create-log.ts";
import { recordAlert } from "../features/alerts/index.ts";
import { createToken } from "../features/tokens/create-token.ts";
import { createQuotaLedger } from "@one-api/ledger/quota-in-transaction";
import { createTestMails } from "../testing/create-test-mails.ts";
import { createTestUser } from "../testing/create-test-user.ts";
import { JobRuns } from "../platform/work/job-runs.ts";
import { startMessagesJob } from "./messages.job.ts";

test("root is alerted of channels although the search for token alerts fails", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const database = await openTestDatabase("sqlite");
  const mails = await createTestMails(database);
  const owner = await createTestUser(database, mails.clock, "user");
  const input = createTokenInputSchema.parse({ name: "one" });
  await createToken(mails.contextOf(owner), { options: mails.options, ledger: createQuotaLedger() }, input);
  const at = Math.floor(mails.clock.nowMs() / 1000);
  await recordAlert(database.db, { kind: "channel-asleep", id: 7, name: "limited", until: at + 60 }, at);
  mails.clock.advanceSeconds(60);
  // An id that makes the statement fail.
  const shortages = { note: () => undefined, take: () => ({ userIds: [], tokenIds: [Number.NaN] }) };
  const job = startMessagesJob({ ...mails, shortages, runs: new JobRuns(mails.clock, createLog("silent")) });
  t.mock.timers.tick(10_000);
  await job.stop();
  const queued = await mails.takeQueued();
  assert.deepEqual(
    queued.map(({ message }) => message.subject),
    ["One API: an alert about channels"],
  );
  await database.close();
});
