import type { RelayTimeouts } from "../relay-timeouts.ts";
import type { UpstreamRequest } from "./attempt.ts";

export function waitsOf(
  { streamFirstByteMs, answerFirstByteMs, idleMs }: RelayTimeouts,
  stream: boolean,
): Pick<UpstreamRequest, "firstByteTimeoutMs" | "firstContentTimeoutMs" | "idleTimeoutMs"> {
  return {
    firstByteTimeoutMs: stream ? streamFirstByteMs : answerFirstByteMs,
    firstContentTimeoutMs: answerFirstByteMs,
    idleTimeoutMs: idleMs,
  };
}
