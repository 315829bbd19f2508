import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { anthropicMessages } from "../../protocols/anthropic-messages/anthropic-messages.ts";
import { NEWER_VERSION, OLDER_VERSION } from "../../protocols/anthropic-messages/usage.ts";
import { readModelNames } from "../../builders/openai-compatible.ts";
import { modelsOfType } from "../../models/models-of-type.ts";
import type { Endpoint, Provider } from "../../provider.ts";
import { appendPath, baseUrlOf, hasVersion } from "../../shared/upstream-url.ts";

const PATHS: Readonly<Partial<Record<Endpoint, string>>> = {
  "chat-completions": "/messages",
  "token-counts": "/messages/count_tokens",
};

const MODELS_PER_PAGE = 1_000;

/**
 * Anthropic's own API, and compatible servers. The caller's version and betas pass through. Translated requests use the older version, which
 * accepts temperature and similar fields. Source: https://docs.anthropic.com/en/api/overview
 */
export function anthropic(type: ChannelType): Provider {
  const format = anthropicMessages(OLDER_VERSION);
  const addressOf = (connection: ChannelConnection, path: string): string => {
    const base = baseUrlOf(type, connection);
    return appendPath(base, (hasVersion(base) ? "" : "/v1") + path);
  };
  return {
    type,
    serve(endpoint) {
      const path = PATHS[endpoint];
      if (path === undefined) return undefined;
      const urls = new WeakMap<ChannelConnection, string>();
      return {
        format,
        exact: true,
        call({ body, formatHeaders, formatQuery = "" }, connection) {
          const url = urls.get(connection) ?? addressOf(connection, path);
          urls.set(connection, url);
          const version = formatHeaders["anthropic-version"] ?? OLDER_VERSION;
          const headers = { ...keyHeaders(connection, version), ...formatHeaders };
          return { address: { url: formatQuery === "" ? url : withQuery(url, formatQuery), headers }, body };
        },
      };
    },
    models: modelsOfType(type),
    async listModels(connection, getJson) {
      const url = new URL(addressOf(connection, "/models"));
      url.searchParams.set("limit", String(MODELS_PER_PAGE));
      return readModelNames(await getJson(url.href, keyHeaders(connection, OLDER_VERSION)));
    },
  };
}

function withQuery(url: string, query: string): string {
  return `${url}${url.includes("?") ? "&" : "?"}${query}`;
}

/** The newer version uses a bearer token, the older one a header of its own. */
function keyHeaders({ key }: ChannelConnection, version: string): Record<string, string> {
  const named = { "anthropic-version": version };
  return version === NEWER_VERSION ? { ...named, authorization: `Bearer ${key}` } : { ...named, "x-api-key": key };
}
