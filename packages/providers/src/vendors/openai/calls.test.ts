import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { callOf, connectionTo } from "../../testing/call-provider.ts";

test("[CHFORM-26] an organization is sent as OpenAI-Organization, and only where there is one", () => {
  const headersOf = (rest: Partial<ChannelConnection>) => callOf(1, connectionTo("", rest)).address.headers;
  assert.equal(headersOf({ organization: "org-1" })["openai-organization"], "org-1");
  assert.ok(!("openai-organization" in headersOf({})));
});
