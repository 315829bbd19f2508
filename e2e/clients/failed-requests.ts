import { setTimeout as sleep } from "node:timers/promises";
import { logSchema } from "@one-api/contract/logs/log";
import { z } from "zod";
import type { GatewayClient } from "../gateway/gateway-client.ts";

/** The gateway writes its log entries within a second. */
const LOG_DELAY_MS = 2_000;

/**
 * Returns a line for each refused or failed one of the newest 100 requests. Requests that clients aborted are left out.
 */
export async function failedRequests(root: GatewayClient): Promise<readonly string[]> {
  await sleep(LOG_DELAY_MS);
  const entries = z.array(logSchema).parse(await root.get("/api/log/?result=errors&size=100"));
  return entries
    .filter(({ result }) => result !== "caller-gone")
    .map(
      ({ model_name, result, status_code, content, detail }) =>
        `A request for ${model_name} failed at the gateway: ${result}, status ${status_code}, ${detail?.end ?? "no end"}. ${content}`,
    );
}
