import type { testProxy as testProxyCall } from "@one-api/contract/options/option";
import { request } from "undici";
import type { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { recordAudit } from "../../core/audit.ts";
import type { CallContext } from "../../core/call-context.ts";
import { isMetadataHost } from "../../platform/network/metadata-addresses.ts";
import type { OptionStore } from "../../core/option-store.ts";
import { createProxyClient } from "../../platform/network/proxy-client.ts";

const TIMEOUT_MS = 15_000;

/**
 * Sends a request through the saved proxy. Any HTTP status is a success.
 * Throws `proxy-not-set-up`, `option-address-metadata` and `proxy-failed`. Errors contain no password.
 */
export async function testProxy(
  context: CallContext,
  options: OptionStore,
  { address }: z.output<(typeof testProxyCall)["body"]>,
): Promise<z.output<(typeof testProxyCall)["data"]>> {
  const saved = options.secret("HttpProxy");
  if (saved === "") throw new AppError("proxy-not-set-up", "There is no proxy to test. Save its address first.");
  const target = new URL(address);
  if (isMetadataHost(target.hostname)) {
    const message = "address must not lead to a link-local or cloud metadata address. Name another server.";
    throw new AppError("option-address-metadata", message, { field: "address", values: { option: "address" } });
  }
  const { protocol, host } = new URL(saved);
  const proxy = `${protocol}//${host}`;
  const began = context.clock.monotonicMs();
  const client = createProxyClient(saved);
  try {
    const answer = await request(target, { dispatcher: client, signal: AbortSignal.timeout(TIMEOUT_MS) });
    answer.body.on("error", () => undefined).destroy();
    const time = (context.clock.monotonicMs() - began) / 1000;
    const detail = { address: target.host, status: answer.statusCode };
    await recordAudit(context.database.db, context, {
      action: "option.test-proxy",
      object: "option:HttpProxy",
      detail,
    });
    return { status: answer.statusCode, time, proxy };
  } catch (error) {
    const reason = reasonOf(error);
    const message = `Calling ${target.host} through ${proxy} failed: ${reason}`;
    throw new AppError("proxy-failed", message, { values: { address: target.host, proxy, reason } });
  } finally {
    await client.destroy().catch(() => undefined);
  }
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === "TimeoutError") return `no answer within ${TIMEOUT_MS / 1000} s`;
  const cause = error.cause instanceof Error && error.cause.message !== "" ? `: ${error.cause.message}` : "";
  const code = error.message === "" && "code" in error ? String(error.code) : error.message;
  return `${code}${cause}`.replaceAll(/\p{Cc}+/gu, " ").slice(0, 200);
}
