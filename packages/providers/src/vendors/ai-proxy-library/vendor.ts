import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { knowledgeBaseOf } from "@one-api/contract/channels/channel-needs";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { UncallableChannelError } from "../../failure.ts";
import { aiProxyLibrary } from "./format.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Provider, Service } from "../../provider.ts";
import { parseJson, recordOf } from "../../shared/json-fields.ts";
import { bearerHeaders } from "../../builders/openai-compatible.ts";
import { unversionedUrl } from "../../builders/own-api.ts";

export function aiProxyKnowledge(type: ChannelType): Provider {
  const service: Service = {
    format: aiProxyLibrary,
    exact: false,
    call: ({ body }, connection) => ({
      address: { url: unversionedUrl(type, connection, "/api/library/ask"), headers: bearerHeaders(connection) },
      body: Buffer.from(JSON.stringify({ ...recordOf(parseJson(body.toString())), libraryId: libraryOf(connection) })),
    }),
  };
  return {
    type,
    models: modelsOfType(type),
    serve: (endpoint) => (endpoint === "chat-completions" ? service : undefined),
  };
}

function libraryOf(connection: ChannelConnection): string {
  const id = knowledgeBaseOf(connection);
  if (id === "") throw new UncallableChannelError("knowledge-base");
  return id;
}
