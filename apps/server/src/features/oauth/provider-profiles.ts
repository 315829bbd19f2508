import { OPTION_DEFINITIONS } from "@one-api/contract/option";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { fetchJson } from "../../core/fetch-json.ts";
import type { OptionStore } from "../../core/option-store.ts";
import type { BoundIdColumn } from "../users/index.ts";

const MAX_NAME_LENGTH = 64;

/** Who somebody is at a provider. */
export interface ProviderProfile {
  readonly column: BoundIdColumn;
  /** Never changes there, and is never empty. */
  readonly id: string;
  /** What they are called there; empty for unknown. */
  readonly displayName: string;
  /** How usernames of sign-ups begin. */
  readonly prefix: string;
}

/** Asks a provider who the code is of. Throws `oauth-off`, `oauth-refused` and `oauth-unreachable`. */
export type ReadProfile = (options: OptionStore, code: string) => Promise<ProviderProfile>;

const idSchema = z.string().min(1).max(128);
const accessSchema = z.looseObject({ access_token: z.string().min(1) });
const gitHubUserSchema = z.looseObject({
  id: z.int().positive(),
  name: z.string().nullish(),
  login: z.string().nullish(),
});
const larkUserSchema = z.looseObject({ data: z.looseObject({ open_id: idSchema, name: z.string().nullish() }) });
const weChatSchema = z.looseObject({ success: z.boolean(), data: z.string().nullish() });

/** GitHub's web application flow (docs.github.com, authorizing OAuth apps). The id is the number: names there can be changed and taken over. */
export const readGitHubProfile: ReadProfile = async (options, code) => {
  if (!options.flag("GitHubOAuthEnabled")) throw switchedOff("GitHub");
  const address = options.text("GitHubAddress") || OPTION_DEFINITIONS.GitHubAddress.default;
  const access = await ask("GitHub", accessSchema, `${address}/login/oauth/access_token`, {
    method: "POST",
    body: { client_id: options.text("GitHubClientId"), client_secret: options.secret("GitHubClientSecret"), code },
  });
  // Its own API has a host of its own, an Enterprise server's a path.
  const api = address === OPTION_DEFINITIONS.GitHubAddress.default ? "https://api.github.com" : `${address}/api/v3`;
  const user = await ask("GitHub", gitHubUserSchema, `${api}/user`, bearing(access.access_token));
  const displayName = plainName(user.name || user.login || "GitHub User");
  return { column: "github_id", id: String(user.id), displayName, prefix: "github" };
};

/** Lark's and Feishu's login (open.feishu.cn, web app SSO). */
export const readLarkProfile: ReadProfile = async (options, code) => {
  const clientId = options.text("LarkClientId");
  if (clientId === "" || options.secret("LarkClientSecret") === "") throw switchedOff("Lark");
  const address = options.text("LarkAddress") || OPTION_DEFINITIONS.LarkAddress.default;
  const access = await ask("Lark", accessSchema, `${address}/open-apis/authen/v2/oauth/token`, {
    method: "POST",
    body: {
      client_id: clientId,
      client_secret: options.secret("LarkClientSecret"),
      code,
      grant_type: "authorization_code",
      redirect_uri: `${options.text("ServerAddress")}/oauth/lark`,
    },
  });
  const { data } = await ask(
    "Lark",
    larkUserSchema,
    `${address}/open-apis/authen/v1/user_info`,
    bearing(access.access_token),
  );
  return { column: "lark_id", id: data.open_id, displayName: plainName(data.name || "Lark User"), prefix: "lark" };
};

/** The protocol of wechat-server (github.com/songquanpeng/wechat-server): the account's followers are sent a code. */
export const readWeChatProfile: ReadProfile = async (options, code) => {
  if (!options.flag("WeChatAuthEnabled")) throw switchedOff("WeChat");
  const url = `${options.text("WeChatServerAddress")}/api/wechat/user?code=${encodeURIComponent(code)}`;
  const headers = { authorization: options.secret("WeChatServerToken") };
  const { success, data } = await ask("WeChat", weChatSchema, url, { method: "GET", headers });
  const id = idSchema.safeParse(data).data;
  if (!success || id === undefined) throw refused("WeChat");
  return { column: "wechat_id", id, displayName: "WeChat User", prefix: "wechat" };
};

function bearing(accessToken: string) {
  return { method: "GET" as const, headers: { authorization: `Bearer ${accessToken}` } };
}

async function ask<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  address: string,
  request: Parameters<typeof fetchJson>[1],
): Promise<z.output<Schema>> {
  let answer: unknown;
  try {
    answer = await fetchJson(address, request);
  } catch {
    throw new AppError("oauth-unreachable", `${name} did not answer as expected. Try again in a moment.`, {
      values: { name },
    });
  }
  const result = schema.safeParse(answer);
  if (!result.success) throw refused(name);
  return result.data;
}

function refused(name: string): AppError {
  return new AppError("oauth-refused", `${name} does not accept this code: it is wrong, was used or has expired.`, {
    values: { name },
  });
}

function switchedOff(name: string): AppError {
  return new AppError("oauth-off", `Logging in with ${name} is turned off.`, { values: { name } });
}

/** One line that fits: the name comes from outside. */
function plainName(name: string): string {
  return name
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
    .slice(0, MAX_NAME_LENGTH);
}
