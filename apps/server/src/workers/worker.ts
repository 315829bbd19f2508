import type { LogStore } from "@one-api/log-store/log-store";
import { joinLogStore } from "@one-api/log-store/shared-log-store";

/** The log store of the process that started this worker, which ends with that process. */
export function joinWorkersLogStore(): LogStore {
  process.once("disconnect", () => process.exit(1));
  return joinLogStore({
    send: (message) => void process.send?.(message, undefined, undefined, () => undefined),
    onMessage: (listener) => void process.on("message", listener),
  });
}

const LISTENING = "worker-listening";

/** Notifies the process that started this worker that it listens. */
export function announceListening(port: number): void {
  process.send?.({ kind: LISTENING, port });
}

/** The port in a worker's message that it listens; undefined for other messages. */
export function readListening(message: unknown): number | undefined {
  if (typeof message !== "object" || message === null || !("kind" in message) || message.kind !== LISTENING) return;
  return "port" in message && typeof message.port === "number" ? message.port : undefined;
}
