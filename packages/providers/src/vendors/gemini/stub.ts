import { liveSessions } from "../../protocols/gemini/stub/live.ts";
import { geminiApi, geminiUploads } from "../../protocols/gemini/stub/stub.ts";
import { openAiApi } from "../../protocols/openai/stub/stub.ts";
import type { Stub } from "../../stub-kit/stub.ts";

export const geminiStub: Stub = {
  apis: [geminiApi, geminiUploads, openAiApi({ at: "/v1beta/openai" })],
  sessions: liveSessions({
    path: /^\/{1,2}ws\/google\.ai\.generativelanguage\.v1(?:alpha|beta)?\.GenerativeService\.BidiGenerateContent$/,
    readKey({ headers, query }) {
      const key = headers["x-goog-api-key"];
      return typeof key === "string" ? key : (new URLSearchParams(query).get("key") ?? undefined);
    },
    model: /^models\/./,
  }),
};
