import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { type ChannelType, effectiveOther, isOlderKey } from "@one-api/contract/channels/channel-types";
import { sparkChat } from "./format.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Provider } from "../../provider.ts";
import { parseExact } from "../../shared/exact-numbers.ts";
import { recordOf } from "../../shared/json-fields.ts";
import { appendPath, baseUrlOf, hasVersion } from "../../shared/upstream-url.ts";

/**
 * iFlytek's Spark by its HTTP API, which accepts the older keys `APPID|APISecret|APIKey` too and, unlike its WebSocket, has tools. Sources:
 * https://www.xfyun.cn/doc/spark/HTTP调用文档.html, https://www.xfyun.cn/doc/spark/X1http.html
 */
export function spark(type: ChannelType): Provider {
  return {
    type,
    models: modelsOfType(type),
    serve(endpoint, model) {
      if (endpoint !== "chat-completions") return undefined;
      return {
        format: sparkChat,
        exact: false,
        call({ body }, connection) {
          const name = modelName(model, effectiveOther(type, connection.other));
          const base = baseUrlOf(type, connection);
          const version = hasVersion(base) ? "" : THINKING.test(name) ? "/v2" : "/v1";
          return {
            address: {
              url: appendPath(base, `${version}/chat/completions`),
              headers: { authorization: `Bearer ${passwordOf(type, connection)}` },
            },
            body: name === model ? body : renamed(body, name),
          };
        },
      };
    },
  };
}

/** Models of the API's newer version. */
const THINKING = /^(?:spark-x|x\d)/;

/** Names of models in the API, by their usual names and by version, lower-case. */
const NAMES: ReadonlyMap<string, string> = new Map([
  ["spark-lite", "lite"],
  ["v1.1", "lite"],
  ["spark-pro", "generalv3"],
  ["v3.1", "generalv3"],
  ["spark-pro-128k", "pro-128k"],
  ["v3.1-128k", "pro-128k"],
  ["spark-max", "generalv3.5"],
  ["v3.5", "generalv3.5"],
  ["spark-max-32k", "max-32k"],
  ["v3.5-32k", "max-32k"],
  ["spark-4.0-ultra", "4.0Ultra"],
  ["v4.0", "4.0Ultra"],
  ["spark-x1", "spark-x"],
  ["spark-x1.5", "spark-x"],
]);

/** One API's names have the version after `SparkDesk-`; for plain `SparkDesk` the channel names it. */
function modelName(model: string, version: string): string {
  const name = model.toLowerCase();
  const [, named] = /^sparkdesk(?:-(.+))?$/.exec(name) ?? [name, name];
  return NAMES.get(named ?? (version.toLowerCase() || "v1.1")) ?? model;
}

/** The API's password is one text; of an older key, it is the last two components. */
function passwordOf(type: ChannelType, { key }: ChannelConnection): string {
  if (!isOlderKey(type, key)) return key;
  const [, secret = "", apiKey = ""] = key.split("|").map((part) => part.trim());
  return `${apiKey}:${secret}`;
}

function renamed(body: Buffer, model: string): Buffer {
  return Buffer.from(JSON.stringify({ ...recordOf(parseExact(body.toString())), model }));
}
