import type { Binding } from "@one-api/contract/accounts/binding";
import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import { z } from "zod";
import type { OptionStore } from "../../core/option-store.ts";
import { boundIdAt, type BoundIdColumn, providerAddress } from "../users/index.ts";
import { askProvider, bearing, plainName, providerRefused, switchedOff } from "./ask-provider.ts";

export interface ProviderProfile {
  readonly column: BoundIdColumn;
  readonly id: string;
  readonly displayName: string;
  /** Name of the provider; new usernames begin with it. */
  readonly binding: Exclude<Binding, "email">;
  readonly maySignUp?: boolean;
}

/** Exchanges a code for a profile. Throws `oauth-off`, `oauth-refused` and `oauth-unreachable`. */
type ReadProfile = (options: OptionStore, code: string) => Promise<ProviderProfile>;

const idSchema = z.string().regex(/^\S{1,128}$/);
const accessSchema = z.looseObject({ access_token: z.string().min(1) });
const gitHubUserSchema = z.looseObject({
  id: z.int().positive(),
  name: z.string().nullish(),
  login: z.string().nullish(),
});
const larkUserSchema = z.looseObject({ data: z.looseObject({ open_id: idSchema, name: z.string().nullish() }) });
const weChatSchema = z.looseObject({ success: z.boolean(), data: z.string().nullish() });

/**
 * GitHub's web application flow (docs.github.com, authorizing OAuth apps). The id is the number, as login
 * names can be changed and reused.
 */
export const readGitHubProfile: ReadProfile = async (options, code) => {
  if (!options.flag("GitHubOAuthEnabled")) throw switchedOff("GitHub");
  const address = providerAddress(options, "github_id");
  const access = await askProvider("GitHub", accessSchema, `${address}/login/oauth/access_token`, {
    method: "POST",
    body: { client_id: options.text("GitHubClientId"), client_secret: options.secret("GitHubClientSecret"), code },
  });
  // github.com has a separate API host; an Enterprise server has a path.
  const api = address === OPTION_DEFINITIONS.GitHubAddress.default ? "https://api.github.com" : `${address}/api/v3`;
  const user = await askProvider("GitHub", gitHubUserSchema, `${api}/user`, bearing(access.access_token));
  const displayName = plainName(user.name || user.login || "GitHub User");
  return { column: "github_id", id: boundIdAt(address, String(user.id)), displayName, binding: "github" };
};

/** Login of Lark and Feishu (open.feishu.cn, web app SSO). */
export const readLarkProfile: ReadProfile = async (options, code) => {
  const clientId = options.text("LarkClientId");
  if (clientId === "" || options.secret("LarkClientSecret") === "") throw switchedOff("Lark");
  const address = providerAddress(options, "lark_id");
  const access = await askProvider("Lark", accessSchema, `${address}/open-apis/authen/v2/oauth/token`, {
    method: "POST",
    body: {
      client_id: clientId,
      client_secret: options.secret("LarkClientSecret"),
      code,
      grant_type: "authorization_code",
      redirect_uri: `${options.text("ServerAddress")}/oauth/lark`,
    },
  });
  const { data } = await askProvider(
    "Lark",
    larkUserSchema,
    `${address}/open-apis/authen/v1/user_info`,
    bearing(access.access_token),
  );
  const displayName = plainName(data.name || "Lark User");
  return { column: "lark_id", id: boundIdAt(address, data.open_id), displayName, binding: "lark" };
};

/** Protocol of wechat-server (github.com/songquanpeng/wechat-server), which sends a code to followers. */
export const readWeChatProfile: ReadProfile = async (options, code) => {
  if (!options.flag("WeChatAuthEnabled")) throw switchedOff("WeChat");
  const address = providerAddress(options, "wechat_id");
  const url = `${address}/api/wechat/user?code=${encodeURIComponent(code)}`;
  const headers = { authorization: options.secret("WeChatServerToken") };
  const { success, data } = await askProvider("WeChat", weChatSchema, url, { method: "GET", headers });
  const id = idSchema.safeParse(data).data;
  if (!success || id === undefined) throw providerRefused("WeChat");
  return { column: "wechat_id", id: boundIdAt(address, id), displayName: "WeChat User", binding: "wechat" };
};
