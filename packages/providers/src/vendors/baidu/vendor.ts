import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { type Failure, ProviderFailedError } from "../../failure.ts";
import type { ProviderFormat } from "../../format.ts";
import { baiduChat, baiduEmbeddings } from "./format.ts";
import { TOKEN_CODES } from "./read-error.ts";
import { baiduImages } from "./pictures.ts";
import { readError } from "../../protocols/read-error.ts";
import type { AccessToken } from "../../access-token-cache.ts";
import type { Endpoint, Provider, Service, UpstreamCall } from "../../provider.ts";
import type { ProviderIo } from "../../provider-io.ts";
import { numberOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../../shared/upstream-url.ts";
import { openAiCompatible } from "../../builders/openai-compatible.ts";
import { withOlderApi } from "../../builders/older-api.ts";

/**
 * Baidu's Qianfan: the OpenAI-compatible API with current keys (`bce-v3/…`), the older API with an application's `APIKey|SecretKey`.
 * Sources: https://cloud.baidu.com/doc/qianfan-api/s/3m9b5lqft, https://cloud.baidu.com/doc/WENXINWORKSHOP/s/clntwmv7t
 */
export function baidu(type: ChannelType): Provider {
  const today = openAiCompatible(type, {
    endpoints: ["chat-completions", "embeddings"],
    versionPath: "/v2",
    pictures: { format: baiduImages, edits: true },
    chat: { developerRole: false, reasoning: "none", thoughts: "text" },
  });
  return withOlderApi(today, (endpoint, model) => serveOlder(type, endpoint, model));
}

/** Paths of models that differ from their names. Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Nlks5zkzu */
const PATHS: ReadonlyMap<string, string> = new Map([
  ["ernie-4.0", "completions_pro"],
  ["ernie-bot-4", "completions_pro"],
  ["ernie-4.0-8k", "completions_pro"],
  ["ernie-4.0-8k-preemptible", "completions_pro_preemptible"],
  ["ernie-bot", "completions"],
  ["ernie-3.5-8k", "completions"],
  ["ernie-bot-turbo", "eb-instant"],
  ["ernie-lite-8k-0922", "eb-instant"],
  ["ernie-lite-8k-0308", "ernie-lite-8k"],
  ["ernie-speed", "ernie_speed"],
  ["ernie-speed-8k", "ernie_speed"],
  ["ernie-bot-8k", "ernie_bot_8k"],
  ["bloomz-7b", "bloomz_7b1"],
  ["bge-large-zh", "bge_large_zh"],
  ["bge-large-en", "bge_large_en"],
  ["tao-8k", "tao_8k"],
]);
const OLDER_API = "/rpc/2.0/ai_custom/v1/wenxinworkshop";

const OLDER_ENDPOINTS: Readonly<Partial<Record<Endpoint, { readonly format: ProviderFormat; readonly path: string }>>> =
  {
    "chat-completions": { format: baiduChat, path: "/chat/" },
    embeddings: { format: baiduEmbeddings, path: "/embeddings/" },
  };

function serveOlder(type: ChannelType, endpoint: Endpoint, model: string): Service | undefined {
  const served = OLDER_ENDPOINTS[endpoint];
  if (served === undefined) return undefined;
  const name = model.toLowerCase();
  const path = OLDER_API + served.path + encodeURIComponent(PATHS.get(name) ?? name);
  return {
    format: served.format,
    exact: false,
    call: ({ body }, connection, io) => callWithToken({ base: baseOf(type, connection), connection, path, body }, io),
  };
}

/** Users also paste the address of the newer API. */
function baseOf(type: ChannelType, connection: ChannelConnection): URL {
  return withoutVersion(baseUrlOf(type, connection));
}

interface TokenCall {
  readonly base: URL;
  readonly connection: ChannelConnection;
  readonly path: string;
  readonly body: Buffer;
}

/** The token is in the query: the API accepts it in no header. */
async function callWithToken(call: TokenCall, io: ProviderIo, isRenewed = false): Promise<UpstreamCall> {
  const { base, connection, path, body } = call;
  const owner = `${base.href} ${connection.key}`;
  const token = await io.tokens.get(
    owner,
    () => io.nowMs(),
    () => exchangeKey(base, connection.key, io),
  );
  const url = new URL(appendPath(base, path));
  url.searchParams.set("access_token", token);
  return {
    address: { url: url.href, headers: {} },
    body,
    renew(failure) {
      if (!TOKEN_CODES.has(failure.code)) return undefined;
      io.tokens.forget(owner, token);
      return isRenewed ? undefined : callWithToken(call, io, true);
    },
  };
}

const TOKEN_TIMEOUT_MS = 5_000;

/** Token for 30 days. Source: https://cloud.baidu.com/doc/WENXINWORKSHOP/s/Ilkkrb0i5 */
async function exchangeKey(base: URL, key: string, io: ProviderIo): Promise<AccessToken> {
  const [id = "", secret = ""] = key.split("|").map((part) => part.trim());
  const url = new URL(appendPath(base, "/oauth/2.0/token"));
  url.search = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: id,
    client_secret: secret,
  }).toString();
  const question = { method: "POST", url: url.href, headers: {}, body: Buffer.alloc(0) } as const;
  const reply = await io.ask({ ...question, timeoutMs: TOKEN_TIMEOUT_MS }).catch(() => {
    throw new ProviderFailedError(failureOf("connection", 0, "Baidu could not be asked for a token for the key."));
  });
  const { access_token: token, expires_in: seconds, error, error_description: told } = recordOf(parseJson(reply.text));
  if (textOf(token) !== "") {
    return { text: textOf(token), expiresAtMs: io.nowMs() + (numberOf(seconds) ?? 0) * 1_000 };
  }
  const refused = textOf(error) !== "" || reply.status === 401;
  const failure = readError(reply.status, reply.headers, JSON.stringify({ error: told ?? error ?? "" }));
  throw new ProviderFailedError(refused ? { ...failure, kind: "bad-credential" } : failure);
}

function failureOf(kind: Failure["kind"], status: number, message: string): Failure {
  return { kind, status, message, code: "", type: "", param: null, retryAfterMs: null };
}
