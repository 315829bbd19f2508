import assert from "node:assert/strict";
import { test } from "node:test";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { sentBy, urlOf } from "../../testing/call-provider.ts";

test("Coze receives the channel's user, never the caller's", () => {
  assert.equal(urlOf(34, ""), "https://api.coze.com/v3/chat");
  assert.equal(urlOf(34, "https://api.coze.cn/"), "https://api.coze.cn/v3/chat");
  const userOf = (config: ChannelConnection["config"]) => sentBy(34, { bot_id: "1" }, { rest: { config } });
  assert.deepEqual(userOf({ user_id: " u-1 " }), { user_id: "u-1", bot_id: "1" });
  assert.deepEqual(userOf({}), { user_id: "one-api", bot_id: "1" });
});
