import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { appendPath, baseUrlOf } from "../../shared/upstream-url.ts";

/** Ends of addresses that people paste: of the compatible API and of DashScope's own. */
const API_PATH = /\/(?:compatible-mode|compatible-api|api)(?:\/v\d+)?\/*$/;

/** An address of DashScope's own API, for a channel whose address may be that of the compatible one. */
export function dashScopeUrl(type: ChannelType, connection: ChannelConnection, path: string): string {
  const root = new URL(baseUrlOf(type, connection));
  root.pathname = root.pathname.replace(API_PATH, "");
  return appendPath(root, path);
}
