import assert from "node:assert/strict";
import { test } from "node:test";
import { openOldServer } from "@one-api/importer/old-server";
import { planImport } from "@one-api/importer/plan-import";
import { createOldFile, type OldRows } from "@one-api/importer/testing/old-database";
import { gatewayRules } from "./gateway-rules.ts";

const CREDENTIALS = '{"type":"service_account","project_id":"my-project","private_key":"-----"}';

async function plan(rows: OldRows) {
  const old = await openOldServer(createOldFile(rows, "new-api"));
  await old.close();
  return planImport(old.server, gatewayRules, 1_800_000_000);
}

test("refused settings, tokens and channels are reported with the gateway's own messages", async () => {
  const { findings } = await plan({
    options: [{ key: "oidc.enabled", value: "true" }],
    tokens: [{ id: 4, user_id: 1, key: "key4", name: "t4", unlimited_quota: true, allow_ips: "somewhere" }],
    channels: [
      { id: 7, type: 3, key: "k7", name: "c7", models: "m" },
      { id: 9, type: 14, key: "k9", name: "c9", models: "" },
    ],
  });
  const report = [...findings.leftOut, ...findings.changed].map(({ noun, name, text }) => `${noun} ${name}: ${text}`);
  assert.deepEqual(report.slice(0, 3), [
    "setting OidcEnabled: Set OidcIssuer, OidcClientId, OidcClientSecret, ServerAddress before turning on OidcEnabled.",
    "channel c7: Fill in base_url: channels of type 3 (Azure OpenAI) have no address of their own.",
    "channel c9: Choose at least one model.",
  ]);
  assert.match(report[3] ?? "", /^token t4 of root: is disabled: subnet: "somewhere" is not a network/);
  assert.equal(report.length, 4);
});

test("channels have the config that the gateway derives from their key", async () => {
  const { channels } = await plan({
    channels: [
      { id: 3, type: 41, key: CREDENTIALS, name: "vertex", models: "m", other: '{"default":"us-east5","m":"global"}' },
      { id: 4, type: 39, key: "k4", name: "cloudflare", models: "m", other: "account-4" },
    ],
  });
  const [vertex, cloudflare] = channels;
  assert.deepEqual(vertex?.config.open, { region: "us-east5", vertex_ai_project_id: "my-project" });
  assert.deepEqual(cloudflare?.config.open, { user_id: "account-4" });
});
