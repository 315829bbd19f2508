import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import { z } from "zod";
import { AppError } from "../../core/app-error.ts";
import { fetchJson } from "../../platform/network/fetch-json.ts";
import type { OptionStore } from "../../core/option-store.ts";

const answerSchema = z.looseObject({ success: z.boolean() });

/**
 * Validates the token of the human check if it is turned on (Cloudflare Turnstile, server-side validation).
 * Each token is valid once.
 * Throws `human-check-missing` and `human-check-failed`.
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
