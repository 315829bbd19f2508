import type { ChannelDeadlines } from "../../features/channels/index.ts";
import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { UpstreamRequest } from "./attempt.ts";

type Waits = Pick<UpstreamRequest, "firstByteTimeoutMs" | "firstContentTimeoutMs" | "idleTimeoutMs" | "deadlines">;

/** Returns the waits of a request: the channel's deadlines, else the server's. Only a stream has a first token. */
export function waitsOf(
  { streamFirstByteMs, answerFirstByteMs, idleMs }: RelayTimeouts,
  stream: boolean,
  deadlines?: ChannelDeadlines,
): Waits {
  const { firstTokenMs, totalMs } = deadlines ?? {};
  return {
    firstByteTimeoutMs: stream ? (firstTokenMs ?? streamFirstByteMs) : answerFirstByteMs,
    firstContentTimeoutMs: (stream ? firstTokenMs : undefined) ?? answerFirstByteMs,
    idleTimeoutMs: deadlines?.idleMs ?? idleMs,
    deadlines: deadlines && { firstContentMs: stream ? firstTokenMs : undefined, totalMs },
  };
}
