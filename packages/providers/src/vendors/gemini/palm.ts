import type { ChannelType } from "@one-api/contract/channels/channel-types";
import { withoutPalm } from "../../models/palm-names.ts";
import { type Provider, USUAL_SWITCHES } from "../../provider.ts";
import { gemini } from "./vendor.ts";

/**
 * Channels for PaLM 2. Google has switched its API off, and serves Gemini at the same address with the same key, so these channels call
 * Gemini's own API.
 */
export function palm(type: ChannelType): Provider {
  const provider = gemini(type);
  return {
    ...provider,
    serve: (endpoint, model, switches = USUAL_SWITCHES) =>
      provider.serve(endpoint, withoutPalm(model), { ...switches, geminiNative: true }),
  };
}
