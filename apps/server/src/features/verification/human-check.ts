import { OPTION_DEFINITIONS } from "@one-api/contract/option";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { fetchJson } from "../../platform/network/fetch-json.ts";
import type { OptionStore } from "../../core/option-store.ts";

const answerSchema = z.looseObject({ success: z.boolean() });

/**
 * Has the human check's answer checked where it is switched on (Cloudflare Turnstile, server-side validation). Each answer works once:
 * nothing is remembered. Throws `human-check-missing` and `human-check-failed`.
 */
export async function checkHuman(options: OptionStore, token: string, remoteAddress: string): Promise<void> {
  if (!options.flag("TurnstileCheckEnabled")) return;
  if (token === "") {
    throw new AppError(
      "human-check-missing",
      "Please try again in a few seconds, Turnstile is checking the user environment!",
      { field: "turnstile" },
    );
  }
  const form = new URLSearchParams({
    secret: options.secret("TurnstileSecretKey"),
    response: token,
    remoteip: remoteAddress,
  });
  const address = options.text("TurnstileAddress") || OPTION_DEFINITIONS.TurnstileAddress.default;
  const url = `${address}/turnstile/v0/siteverify`;
  const answer = await fetchJson(url, { method: "POST", body: form }).catch(() => undefined);
  if (answerSchema.safeParse(answer).data?.success !== true)
    throw new AppError("human-check-failed", "The human check failed. Reload the page and try again.");
}
