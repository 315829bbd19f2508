import type { IncomingHttpHeaders } from "node:http";
import type { ChannelConnection } from "@one-api/contract/channels/channel-connection";
import { RelayError } from "../errors/index.ts";

/** Names how many gateways a request has come through. */
export const HOPS_HEADER = "x-one-api-hops";
/** A gateway behind a gateway is usual, a longer row of them a channel that points at itself. */
const MOST_HOPS = 3;

/** How many gateways a request has come through. Throws a RelayError (508) where they are so many that it goes round in circles. */
export function readHops(headers: IncomingHttpHeaders): number {
  const header = headers[HOPS_HEADER];
  if (header === undefined) return 0;
  const hops = Number(header);
  if (!Number.isInteger(hops) || hops < 1) return 0;
  if (hops < MOST_HOPS) return hops;
  throw new RelayError({
    status: 508,
    type: "invalid_request_error",
    code: "loop_detected",
    message: `This request has come through ${hops} gateways. The address of a channel seems to lead back to the gateway itself.`,
  });
}

/** What tells the next gateway; nothing where the channel has the provider's own address, which is none. */
export function hopHeaders({ baseUrl }: Pick<ChannelConnection, "baseUrl">, hops: number): Record<string, string> {
  if (baseUrl === "") return NO_HEADERS;
  return hops === 0 ? FIRST_HOP : { [HOPS_HEADER]: String(hops + 1) };
}

const NO_HEADERS = {};
const FIRST_HOP = { [HOPS_HEADER]: "1" };
