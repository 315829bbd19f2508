import type { IncomingHttpHeaders } from "node:http";
import { overrideHeaders } from "@one-api/contract/channels/overrides/apply-overrides";
import type { UpstreamAddress } from "@one-api/providers/provider";
import type { ChannelOverrides } from "../../features/channels/index.ts";

/** Applies a channel's overrides to the headers of a request. `ofClient`: headers of the client. Without overrides it returns the same address. */
export function withHeaders(
  address: UpstreamAddress,
  overrides: ChannelOverrides | undefined,
  ofClient: IncomingHttpHeaders,
): UpstreamAddress {
  if (overrides?.hasHeaders !== true) return address;
  return { ...address, headers: overrideHeaders(address.headers, overrides.all, ofClient) };
}
