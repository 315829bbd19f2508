import { createHash, createHmac } from "node:crypto";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import type { ProviderFormat } from "../../format.ts";
import { hunyuanChat, hunyuanEmbeddings } from "./format.ts";
import type { Endpoint, Provider, Service, UpstreamAddress } from "../../provider.ts";
import { appendPath, baseUrlOf, withoutVersion } from "../../shared/upstream-url.ts";
import { withOlderApi } from "../../builders/older-api.ts";
import { openAiCompatible } from "../../builders/openai-compatible.ts";

/**
 * Tencent's Hunyuan: the OpenAI-compatible API with current keys (`sk-…`), the cloud API with an account's `AppId|SecretId|SecretKey`.
 * Sources: https://cloud.tencent.com/document/product/1729/111007, https://cloud.tencent.com/document/api/1729/105701
 */
export function hunyuan(type: ChannelType): Provider {
  const today = openAiCompatible(type, {
    endpoints: ["chat-completions", "embeddings"],
    chat: { limitField: "max_tokens", developerRole: false, reasoning: "none" },
  });
  return withOlderApi(today, (endpoint) => serveOlder(type, endpoint));
}

const API_VERSION = "2023-09-01";

const ACTIONS: Readonly<Partial<Record<Endpoint, { readonly format: ProviderFormat; readonly action: string }>>> = {
  "chat-completions": { format: hunyuanChat, action: "ChatCompletions" },
  embeddings: { format: hunyuanEmbeddings, action: "GetEmbedding" },
};

function serveOlder(type: ChannelType, endpoint: Endpoint): Service | undefined {
  const served = ACTIONS[endpoint];
  if (served === undefined) return undefined;
  const { format, action } = served;
  return {
    format,
    exact: false,
    call({ body }, connection, io) {
      const url = new URL(appendPath(withoutVersion(baseUrlOf(type, connection)), "/"));
      const [, id = "", secret = ""] = connection.key.split("|").map((part) => part.trim());
      return { address: signed({ url, action, id, secret, body, timeMs: io.nowMs() }), body };
    },
  };
}

interface Signable {
  readonly url: URL;
  readonly action: string;
  readonly id: string;
  readonly secret: string;
  readonly body: Buffer;
  readonly timeMs: number;
}

const ALGORITHM = "TC3-HMAC-SHA256";
const SERVICE = "hunyuan";
const SIGNED_HEADERS = "content-type;host;x-tc-action";

/** Returns the address with a signature in its headers. Source: https://cloud.tencent.com/document/api/1729/101842 */
function signed({ url, action, id, secret, body, timeMs }: Signable): UpstreamAddress {
  const seconds = String(Math.floor(timeMs / 1_000));
  const date = new Date(timeMs).toISOString().slice(0, 10);
  const scope = `${date}/${SERVICE}/tc3_request`;
  const headers = `content-type:application/json\nhost:${url.hostname}\nx-tc-action:${action.toLowerCase()}\n`;
  const canonical = ["POST", "/", "", headers, SIGNED_HEADERS, sha256(body)].join("\n");
  const text = [ALGORITHM, seconds, scope, sha256(canonical)].join("\n");
  const key = [date, SERVICE, "tc3_request"].reduce<string | Buffer>(
    (chained, part) => hmac(chained, part),
    `TC3${secret}`,
  );
  const signature = hmac(key, text).toString("hex");
  return {
    url: url.href,
    headers: {
      authorization: `${ALGORITHM} Credential=${id}/${scope}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`,
      "x-tc-action": action,
      "x-tc-timestamp": seconds,
      "x-tc-version": API_VERSION,
    },
  };
}

function sha256(text: string | Buffer): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
