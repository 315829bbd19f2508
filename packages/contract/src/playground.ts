import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { idSchema } from "./fields.ts";

/** What a chat request may hold beside texts, where its model knows it. */
export const CHAT_PARAMETERS = [
  "images",
  "tools",
  "temperature",
  "top_p",
  "max_tokens",
  "json",
  "reasoning_effort",
] as const;

export type ChatParameter = (typeof CHAT_PARAMETERS)[number];

/** A model to chat with. */
const chatModelSchema = z.object({
  model: z.string(),
  /** Where nobody knows a model, all but the effort of its reasoning. */
  parameters: z.array(z.enum(CHAT_PARAMETERS)),
  /** Tokens that it writes at the most; null where no list says it. */
  max_output_tokens: z.nullable(z.int()),
});

export type ChatModel = z.infer<typeof chatModelSchema>;

export const listChatModels = defineCall({
  method: "GET",
  path: "/api/playground/models",
  access: "user",
  summary: "The models to chat with that one of the own tokens may call now, and what a request for each may hold",
  query: z.object({ token: idSchema }),
  data: z.array(chatModelSchema),
});
