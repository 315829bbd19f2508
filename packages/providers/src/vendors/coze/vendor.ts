import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { cozeChat } from "./format.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Provider, Service } from "../../provider.ts";
import { parseJson, recordOf } from "../../shared/json-fields.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { unversionedUrl } from "../../builders/own-api.ts";

/** User of an agent where the channel names none: Coze requires one. */
const DEFAULT_USER = "one-api";

/** Agents of Coze, version 3 of the API, at api.coze.com or api.coze.cn: a model is `bot-` and the agent's number. */
export function coze(type: ChannelType): Provider {
  const service: Service = {
    format: cozeChat,
    exact: false,
    call: ({ body }, connection) => ({
      address: { url: unversionedUrl(type, connection, "/v3/chat"), headers: bearerHeaders(connection) },
      body: withUser(body, connection.config.user_id?.trim() || DEFAULT_USER),
    }),
  };
  return {
    type,
    models: modelsOfType(type),
    serve: (endpoint) => (endpoint === "chat-completions" ? service : undefined),
  };
}

/** The user is the channel's: a caller could otherwise name another user, whose memory the agent stores by that name. */
function withUser(body: Buffer, userId: string): Buffer {
  return Buffer.from(JSON.stringify({ user_id: userId, ...recordOf(parseJson(body.toString())) }));
}
