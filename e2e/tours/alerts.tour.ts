import { ALERT_KINDS } from "@one-api/contract/notifications/notification-constants";
import { startAlertReceivers } from "@one-api/stub-server/people/start-alert-receivers";
import { expect } from "@playwright/test";
import { z } from "zod";
import { tour } from "./stage.ts";

const createdSchema = z.object({ id: z.number() });

const MODEL = "gpt-4o-mini";

/** Minutes between two attempts of a delivery pass in seconds. */
tour.use({ clockRate: 10 });

tour("alerts reach a chat and a signed webhook, also after a failed delivery", async ({ stage }) => {
  const receivers = await startAlertReceivers();
  try {
    const provider = await stage.provider();
    await stage.addChannel("North", { models: MODEL, base_url: provider.at("openai") });
    await stage.setOption("AutomaticDisableChannelEnabled", "true");
    const kinds = { webhook: receivers.webhookSecret, dingtalk: receivers.robotSecret };
    for (const [kind, secret] of Object.entries(kinds)) {
      const address = `${receivers.origin}/${kind}${kind === "dingtalk" ? "?access_token=token" : ""}`;
      const created = await stage.root.send("POST", "/api/receiver/", {
        name: `Team ${kind}`,
        kind,
        address,
        secret,
        alerts: [...ALERT_KINDS],
      });
      await stage.root.send("POST", `/api/receiver/${createdSchema.parse(created).id}/test`, {});
    }
    expect(receivers.received.map(({ kind }) => kind)).toEqual(["webhook", "dingtalk"]);

    receivers.mode = "refuse";
    provider.setBehaviour({ kind: "refuse", status: 401, reason: "invalid-api-key" });
    const key = await stage.addToken("app");
    for (let asked = 0; asked < 2; asked += 1) await stage.ask(key, { model: MODEL });
    const refused = receivers.requests;
    await expect.poll(() => receivers.requests).toBeGreaterThan(refused);
    receivers.mode = "accept";
    await expect.poll(() => receivers.received.length, { timeout: 60_000 }).toBe(4);
    expect(receivers.received.at(-1)?.text).toContain("North");
    await stage.open("/notifications");
    await stage.photograph("receivers");
    await stage.open("/notifications/deliveries");
    await stage.photograph("deliveries");
  } finally {
    await receivers.close();
  }
});
