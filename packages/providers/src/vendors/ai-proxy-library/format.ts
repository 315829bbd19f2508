import type { ProviderFormat } from "../../format.ts";
import type { StreamDecoder, WrittenRequest } from "../../format-sides.ts";
import type { ChatAnswer, ChatEvent, Finish } from "../../neutral/chat-answer.ts";
import { type ChatRequest, type Drop, takeForeignFields, UntranslatableError } from "../../neutral/chat-request.ts";
import { dropOptions } from "../../neutral/drop-options.ts";
import { type JsonRecord, listOf, parseJson, recordOf, textOf } from "../../shared/json-fields.ts";
import { carriesError as carriesAnyError, readError, readStreamError } from "../../protocols/read-error.ts";

/**
 * Knowledge base of AI Proxy, which answers with the documents that it read, and counts nothing. Its documentation is gone; the calls follow
 * One API.
 */
export const aiProxyLibrary: ProviderFormat = {
  name: "ai-proxy-library",
  readUsage: () => undefined,
  carriesError,
  readError,
  chat: { writeRequest, readAnswer, decode: () => new LibraryDecoder(), isUnlimited: true },
};

/** The last message is the question: the knowledge base has no conversations. */
function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  takeForeignFields(request.foreign, aiProxyLibrary.name, drop);
  dropOptions(request, new Set(), drop);
  if (request.messages.length > 1) drop("messages");
  const parts = request.messages.at(-1)?.parts ?? [];
  for (const part of parts) if (part.type !== "text") drop(`messages.${part.type}`);
  const query = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n\n");
  if (query.trim() === "") {
    throw new UntranslatableError(
      "messages",
      "The last message holds no text: it is what the knowledge base is asked.",
    );
  }
  return { body: { model: request.model, query, stream: request.stream }, dropped: [...dropped] };
}

function carriesError(answer: unknown): boolean {
  const { success, answer: text, content } = recordOf(answer);
  return carriesAnyError(answer) || success === false || (typeof text !== "string" && typeof content !== "string");
}

const FINISH: Finish = { reason: "stop", stopSequence: "" };

function readAnswer(answer: JsonRecord): ChatAnswer {
  const text = textOf(answer.answer) + writeReferences(answer.documents);
  return { id: "", model: "", choices: [{ parts: [{ type: "text", text }], finish: FINISH }], usage: undefined };
}

function writeReferences(documents: unknown): string {
  const links = listOf(documents)
    .map(recordOf)
    .map(({ title, url }, index) => `${index + 1}. ${writeLink(textOf(title), textOf(url))}`);
  return links.length === 0 ? "" : `\n\n**References**\n\n${links.join("\n")}`;
}

/** The title cannot end its link early, and an invalid address is dropped. */
function writeLink(title: string, url: string): string {
  const name = title.replace(/[[\]\s]+/g, " ").trim() || url;
  return URL.canParse(url) && /^https?:/i.test(url)
    ? `[${name}](${new URL(url).href.replaceAll("(", "%28").replaceAll(")", "%29")})`
    : name;
}

class LibraryDecoder implements StreamDecoder {
  #hasBegun = false;
  #documents: unknown;

  read(_name: string, data: string): readonly ChatEvent[] {
    const piece = parseJson(data);
    if (piece === undefined) return [];
    if (carriesError(piece)) return [{ type: "error", failure: readStreamError(data) }];
    const { content, documents, finish, model } = recordOf(piece);
    const start = { type: "answer-start", id: "", model: textOf(model) } as const;
    const events: ChatEvent[] = this.#hasBegun ? [] : [start];
    this.#hasBegun = true;
    if (listOf(documents).length > 0) this.#documents = documents;
    if (textOf(content) !== "") events.push({ type: "text-delta", choice: 0, text: textOf(content) });
    if (finish !== true) return events;
    const references = writeReferences(this.#documents);
    if (references !== "") events.push({ type: "text-delta", choice: 0, text: references });
    return [...events, { type: "answer-finish", choice: 0, finish: FINISH }, { type: "stream-end" }];
  }
}
