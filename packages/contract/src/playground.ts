import * as z from "zod/mini";
import { defineCall } from "./call.ts";
import { idSchema } from "./fields.ts";

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

const chatModelSchema = z.object({
  model: z.string(),
  parameters: z.array(z.enum(CHAT_PARAMETERS)),
  /** Maximal output tokens; null if no list has it. */
  max_output_tokens: z.nullable(z.int()),
});

export type ChatModel = z.infer<typeof chatModelSchema>;

export const listChatModels = defineCall({
  method: "GET",
  path: "/api/playground/models",
  access: "user",
  summary: "Lists the chat models that one of the caller's tokens may call now, with the parameters that each accepts",
  query: z.object({ token: idSchema }),
  data: z.array(chatModelSchema),
});
