import type { ChannelDeadlines } from "../../features/channels/index.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { UpstreamRequest } from "./upstream-request.ts";

type Waits = Pick<UpstreamRequest, "firstByteTimeoutMs" | "firstContentTimeoutMs" | "idleTimeoutMs" | "deadlines">;

/**
 * Returns the waits of a request: the channel's deadlines, else the server's. Only a stream has a first token.
 * @param aliasMs wait for it after which the next model of an alias is tried; undefined for none
 */
export function waitsOf(
  { streamFirstByteMs, answerFirstByteMs, idleMs }: RelayTimeouts,
  stream: boolean,
  deadlines?: ChannelDeadlines,
  aliasMs?: number,
): Waits {
  const { firstTokenMs, totalMs } = deadlines ?? {};
  const firstContentMs = stream ? firstTokenMs : undefined;
  return {
    firstByteTimeoutMs: stream ? (firstTokenMs ?? streamFirstByteMs) : answerFirstByteMs,
    firstContentTimeoutMs: firstContentMs ?? answerFirstByteMs,
    idleTimeoutMs: deadlines?.idleMs ?? idleMs,
    deadlines: deadlines === undefined && aliasMs === undefined ? undefined : { firstContentMs, aliasMs, totalMs },
  };
}
