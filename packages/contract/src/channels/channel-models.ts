import * as z from "zod/mini";
import { defineCall } from "../call.ts";
import { updateChannelInputSchema } from "./channel-input.ts";

export const askChannelModels = defineCall({
  method: "POST",
  path: "/api/channel/models/ask",
  access: "admin",
  summary:
    "Fetches the models of a provider with the values of a form. Uses the stored channel's key if none is typed and the address is the stored one",
  body: z.extend(
    z.required(
      z.pick(updateChannelInputSchema, {
        type: true,
        key: true,
        base_url: true,
        dialect_urls: true,
        other: true,
        config: true,
        organization: true,
        proxy: true,
      }),
      { type: true },
    ),
    {
      id: z._default(z.int().check(z.minimum(0)), 0),
    },
  ),
  data: z.object({
    models: z.array(z.string()),
  }),
});
