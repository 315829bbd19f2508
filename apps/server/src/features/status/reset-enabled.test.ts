import assert from "node:assert/strict";
import { test } from "node:test";
import { getStatus } from "@one-api/contract/status";
import { createTestApp } from "../../testing/create-test-app.ts";
import { setOptions } from "../../testing/set-options.ts";

test("the public status says whether a reset link can be mailed", async (t) => {
  const testApp = await createTestApp();
  t.after(() => testApp.close());
  const isOn = async () => (await testApp.client().data(getStatus)).reset_enabled;
  assert.equal(await isOn(), false, "without a mail server");
  await setOptions(testApp, { SMTPServer: "mail.example", SMTPFrom: "us@mail.example" });
  assert.equal(await isOn(), false, "without the server's address");
  await setOptions(testApp, { ServerAddress: "https://gateway.example" });
  assert.equal(await isOn(), true);
});
