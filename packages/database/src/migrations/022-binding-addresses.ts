import { sql } from "kysely";
import type { Migration } from "./migration.ts";

/** Bound ids say where they come from: the address of their provider that is in use now. Those without one lead nowhere until they are bound anew. */
export const bindingAddresses: Migration = {
  number: 22,
  name: "binding-addresses",
  statements: () => [
    sql`update users set github_id = coalesce((select nullif(value, '') from options where key = 'GitHubAddress'), 'https://github.com') || ' ' || github_id where github_id <> ''`,
    sql`update users set lark_id = coalesce((select nullif(value, '') from options where key = 'LarkAddress'), 'https://open.feishu.cn') || ' ' || lark_id where lark_id <> ''`,
    sql`update users set wechat_id = coalesce((select value from options where key = 'WeChatServerAddress'), '') || ' ' || wechat_id where wechat_id <> ''`,
  ],
};
