import { readModel } from "../../stub-kit/read-model.ts";
import { bearerKey, openAiErrorBody, RequestRefused } from "../../stub-kit/refusal.ts";
import type { Call, Reply, StreamEvent } from "../../stub-kit/call.ts";
import { type Answer, composeAnswer, fillerWord } from "../../stub-kit/compose-answer.ts";
import type { Stub } from "../../stub-kit/stub.ts";

/** AI Proxy's knowledge bases, as One API calls them; the vendor publishes no client. */
export const aiProxyLibraryStub: Stub = {
  apis: [
    {
      routes: { "POST /api/library/ask": ask },
      readKey: ({ authorization }) => bearerKey(authorization),
      writeError: (status, { error }) => ({ success: false, errCode: status, message: error.message }),
    },
  ],
};

/** POST /api/library/ask; documents are in answers to questions that name them. */
function ask(call: Call): Reply {
  const { body, behaviour, settings } = call;
  const model = readModel(call);
  const { query, libraryId } = body;
  if (typeof query !== "string" || query === "") throw new RequestRefused(400, openAiErrorBody("query is missing"));
  if (typeof libraryId !== "string") throw new RequestRefused(400, openAiErrorBody("libraryId is missing"));
  const answer = composeAnswer(query, undefined, behaviour, settings.seed);
  const documents = query.includes("documents") ? [{ title: libraryId, url: "https://h.example/1" }] : [];
  const toJson = (): Reply & { kind: "json" } => ({
    kind: "json",
    body: { success: true, answer: answer.pieces.join(""), documents },
    tokens: answer.pieces.length,
  });
  if (body["stream"] !== true) return toJson();
  return { kind: "stream", events: events(call, answer, { model, documents }), toJson };
}

function* events({ behaviour, settings }: Call, answer: Answer, more: object): Generator<StreamEvent> {
  const piece = (content: string): StreamEvent => ({
    data: JSON.stringify({ content, finish: false, ...more }),
    part: "piece",
    tokens: 1,
  });
  for (const content of answer.pieces) yield piece(content);
  if (behaviour.kind === "endless") {
    for (let position = 0; ; position += 1) yield piece(fillerWord(position, settings.seed));
  }
  if (answer.finishReason === null) return;
  yield { data: JSON.stringify({ content: "", finish: true, ...more }), part: "finish", tokens: 0 };
}
