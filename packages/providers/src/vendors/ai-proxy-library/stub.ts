import { streamEvent } from "../../stub-kit/call.ts";
import { type ChatAnswer, chatEndpoint } from "../../stub-kit/chat-endpoint.ts";
import { piecesOf } from "../../stub-kit/compose-answer.ts";
import { readModel } from "../../stub-kit/read-model.ts";
import { refuse } from "../../stub-kit/refusal.ts";
import type { Stub } from "../../stub-kit/stub.ts";

/** Answers have documents if the question names them. */
const ask = chatEndpoint({
  check(call) {
    readModel(call);
    const { query, libraryId } = call.body;
    if (typeof query !== "string" || query === "") refuse("query is missing");
    if (typeof libraryId !== "string") refuse("libraryId is missing");
  },
  said: ({ query }) => String(query),
  asked: () => ({}),
  document: ({ call, text }) => ({ success: true, answer: text, documents: documentsOf(call.body) }),
  *events({ call, pieces, finish }: ChatAnswer) {
    const more = { model: call.body["model"], documents: documentsOf(call.body) };
    for (const content of piecesOf(call, pieces)) yield streamEvent("piece", { content, finish: false, ...more });
    if (finish !== undefined) yield streamEvent("finish", { content: "", finish: true, ...more });
  },
});

function documentsOf({ query, libraryId }: Readonly<Record<string, unknown>>): readonly object[] {
  return String(query).includes("documents") ? [{ title: libraryId, url: "https://h.example/1" }] : [];
}

/** AI Proxy's knowledge bases, as One API calls them; the vendor publishes no client. */
export const aiProxyLibraryStub: Stub = {
  apis: [
    {
      routes: { "POST /api/library/ask": ask },
      writeError: (status, { error }) => ({ success: false, errCode: status, message: error.message }),
    },
  ],
};
