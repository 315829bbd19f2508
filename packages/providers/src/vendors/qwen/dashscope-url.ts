import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { appendPath, baseUrlOf } from "../../shared/upstream-url.ts";

/** Ends of pasted addresses: of the OpenAI-compatible API and of DashScope's own. */
const API_PATH = /\/(?:compatible-mode|compatible-api|api)(?:\/v\d+)?\/*$/;

/** Returns an address of DashScope's own API, also for a channel with the address of the OpenAI-compatible one. */
export function dashScopeUrl(type: ChannelType, connection: ChannelConnection, path: string): string {
  const root = new URL(baseUrlOf(type, connection));
  root.pathname = root.pathname.replace(API_PATH, "");
  return appendPath(root, path);
}
