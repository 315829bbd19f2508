import { anthropicErrorBody, anthropicKey } from "../../protocols/anthropic-messages/stub/anthropic-api.ts";
import { countTokens, listClaudes, messages } from "../../protocols/anthropic-messages/stub/messages.ts";
import type { Stub } from "../../stub-kit/stub.ts";

export const anthropicStub: Stub = {
  apis: [
    {
      routes: {
        "POST /v1/messages": messages,
        "POST /v1/messages/count_tokens": countTokens,
        "GET /v1/models": listClaudes,
      },
      readKey: anthropicKey,
      writeError: anthropicErrorBody,
    },
  ],
};
