import { z } from "zod";
import { defineCall } from "../call.ts";
import { updateChannelInputSchema } from "./channel.ts";

export const askChannelModels = defineCall({
  method: "POST",
  path: "/api/channel/models/ask",
  access: "admin",
  summary:
    "Asks a provider which models it serves, with what a form holds; a stored channel's key is used when none is typed and the address is the stored one",
  body: updateChannelInputSchema
    .pick({ type: true, key: true, base_url: true, other: true, config: true, organization: true })
    .required({ type: true })
    .extend({
      /** The stored channel that the form edits; 0 or absent for a new one. */
      id: z.int().min(0).default(0),
    }),
  data: z.object({
    models: z.array(z.string()),
  }),
});
