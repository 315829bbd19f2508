import type { IncomingHttpHeaders } from "node:http";
import { RelayError } from "../errors/index.ts";

export const HOPS_HEADER = "x-one-api-hops";
/** Two gateways in a row are common. More indicate a channel that points at its own gateway. */
const MAX_HOPS = 3;

/** Throws a 508 RelayError for a loop. */
export function readHops(headers: IncomingHttpHeaders): number {
  const header = headers[HOPS_HEADER];
  if (header === undefined) return 0;
  const hops = Number(header);
  if (!Number.isInteger(hops) || hops < 1) return 0;
  if (hops < MAX_HOPS) return hops;
  throw new RelayError({
    status: 508,
    type: "invalid_request_error",
    code: "loop_detected",
    message: `This request has come through ${hops} gateways. The address of a channel seems to lead back to the gateway itself.`,
  });
}

/** `baseUrl`: empty for the provider's own address, which is no gateway and gets no header. */
export function hopHeaders(baseUrl: string, hops: number): Record<string, string> {
  if (baseUrl === "") return NO_HEADERS;
  return hops === 0 ? FIRST_HOP : { [HOPS_HEADER]: String(hops + 1) };
}

const NO_HEADERS = {};
const FIRST_HOP = { [HOPS_HEADER]: "1" };
