import { ALERT_KINDS } from "@one-api/contract/notifications/notification-constants";
import {
  startAlertReceivers,
  STUB_RECEIVERS,
  type StubReceivers,
} from "@one-api/stub-server/people/start-alert-receivers";
import { startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { expect } from "@playwright/test";
import { z } from "zod";
import { type Stage, tour } from "./stage.ts";

const createdSchema = z.object({ id: z.number() });

const MODEL = "gpt-4o-mini";

/** Minutes between two attempts of a delivery pass in seconds. */
tour.use({ clockRate: 10 });

/** Telegram's address is fixed, so a stub cannot stand for it. */
const KINDS = STUB_RECEIVERS.filter((kind) => kind !== "telegram");

async function addReceiver(
  stage: Stage,
  receivers: StubReceivers,
  { kind, ...fields }: { readonly kind: (typeof KINDS)[number] | "mail"; readonly [field: string]: unknown },
): Promise<number> {
  const secrets = { webhook: receivers.webhookSecret, dingtalk: receivers.robotSecret, feishu: receivers.robotSecret };
  const created = await stage.root.send("POST", "/api/receiver/", {
    name: `Team ${kind}`,
    kind,
    address: `${receivers.origin}/${kind}${kind === "dingtalk" ? "?access_token=token" : ""}`,
    secret: new Map(Object.entries(secrets)).get(kind) ?? "",
    alerts: [...ALERT_KINDS],
    ...fields,
  });
  return createdSchema.parse(created).id;
}

tour("alerts reach chats, mails and a signed webhook, also after a failed delivery", async ({ stage }) => {
  const [receivers, mails] = await Promise.all([startAlertReceivers(), startMailServer()]);
  try {
    const provider = await stage.provider();
    await stage.addChannel("North", { models: MODEL, base_url: provider.at("openai") });
    await stage.setOption("AutomaticDisableChannelEnabled", "true");
    const smtp = { SMTPServer: "127.0.0.1", SMTPPort: String(mails.port), SMTPAccount: mails.account };
    for (const [option, value] of Object.entries({ ...smtp, SMTPToken: mails.password }))
      await stage.setOption(option, value);
    for (const kind of KINDS) await test(stage, await addReceiver(stage, receivers, { kind }));
    await test(stage, await addReceiver(stage, receivers, { kind: "mail", address: "team@example.com" }));
    expect(receivers.received.map(({ kind }) => kind)).toEqual(KINDS);
    await mails.nextTo("team@example.com");

    receivers.mode = "refuse";
    provider.setBehaviour({ kind: "refuse", status: 401, reason: "invalid-api-key" });
    const key = await stage.addToken("app");
    for (let asked = 0; asked < 2; asked += 1) await stage.ask(key, { model: MODEL });
    const refused = receivers.requests;
    await expect.poll(() => receivers.requests).toBeGreaterThan(refused);
    receivers.mode = "accept";
    await expect.poll(() => receivers.received.length, { timeout: 60_000 }).toBe(KINDS.length * 2);
    expect(receivers.received.at(-1)?.text).toContain("North");
    expect((await mails.nextTo("team@example.com", 1)).text).toContain("North");
    await stage.open("/notifications");
    await stage.photograph("receivers");
    await stage.open("/notifications/add");
    await stage.photograph("new-receiver");
    await stage.open("/notifications/deliveries");
    await stage.photograph("deliveries");
  } finally {
    await Promise.all([receivers.close(), mails.close()]);
  }
});

async function test(stage: Stage, receiver: number): Promise<void> {
  await stage.root.send("POST", `/api/receiver/${receiver}/test`, {});
}

const HOUR = 3_600;
const DAY = 24 * HOUR;
/** Dollars per million tokens: 7,000 quota a request. */
const DOLLARS = 1_000;
const REQUESTS = 8;
const SPENT = 56_000;
const BUDGET = 100_000;
/** Minutes of the gateway's time: the first messages come within the quiet hours. */
const QUIET_MINUTES = 25;

tour.describe(() => {
  // Ten minutes between two messages last 20 s.
  tour.use({ clockRate: 30 });

  tour("budgets at their marks, keys that end and yesterday's digest are reported", async ({ stage }) => {
    const receivers = await startAlertReceivers();
    try {
      const provider = await stage.provider();
      const now = await stage.now();
      await stage.setOption("ModelPrices", { [MODEL]: { input: DOLLARS, output: DOLLARS } });
      await stage.addChannel("North", {
        models: MODEL,
        base_url: provider.at("openai"),
        key_expires_at: now + 2 * DAY,
      });
      const budget = { quota: BUDGET, period: "daily" };
      const key = await stage.addToken("app", { budget, expired_time: Math.round(now + 2 * DAY) });
      await addReceiver(stage, receivers, { kind: "slack" });
      const clockAt = (time: number) => new Date(time * 1_000).toISOString().slice(11, 16);
      const quiet = { start: clockAt(now - HOUR), end: clockAt(now + QUIET_MINUTES * 60), time_zone: "UTC" };
      await addReceiver(stage, receivers, { kind: "webhook", quiet_hours: quiet });
      const textOf = (wanted: string) =>
        receivers.received.flatMap(({ kind, text }) => (kind === wanted ? [text] : [])).join("\n");
      const expectText = (kind: string, text: RegExp) =>
        expect.poll(() => textOf(kind), { timeout: 60_000 }).toMatch(text);
      const ask = async () => {
        const answer = await stage.ask(key, { model: MODEL, fields: { max_tokens: 5 } });
        expect(answer.status).toBe(200);
      };

      for (let asked = 0; asked < REQUESTS; asked += 1) await ask();
      await expectText("slack", /50%/);
      await expectText("slack", /North expires/);
      expect(textOf("webhook")).toBe("");

      await stage.root.send("PUT", "/api/token/", { id: 1, budget: { ...budget, quota: SPENT } });
      await expectText("slack", /100%/);
      await expectText("webhook", /"kind":"budget-used"/);

      await stage.skipDay();
      await expectText("slack", /8 requests/);
      await stage.open("/notifications/deliveries");
      await stage.photograph("marks-and-digest");
    } finally {
      await receivers.close();
    }
  });
});
