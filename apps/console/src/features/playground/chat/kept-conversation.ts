import { readStoredJson, writeStored } from "../../../lib/state/local-storage.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import { fieldsOf, integerOf } from "../../../lib/values/read-values.ts";
import { readRefusalValues } from "../../../lib/values/refusal-values.ts";
import { type Answer, emptyAnswer, newId, type Question, type ToolCall, type Turn } from "./conversation.ts";

export interface Conversation {
  readonly system: string;
  /** JSON, as it was typed. */
  readonly tools: string;
  readonly panes: readonly (readonly Turn[])[];
}

/** Browsers give some 5 MB to all of the console. */
const MOST_CHARACTERS = 1_000_000;

const textAt = (value: unknown) => (typeof value === "string" ? value : "");
const listAt = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const countAt = (value: unknown) => integerOf(value, { least: 0 }) ?? 0;

/** Pictures are too large for the browser's storage. */
function withoutImages(turn: Turn): Turn {
  if (turn.role === "assistant" || turn.images.length === 0) return turn;
  return { ...turn, images: turn.images.map(({ id, name }) => ({ id, name, dataUrl: "" })) };
}

/** Stores the conversation in the browser for its user, without its oldest turns if it is too long. Contains no key. */
export function keepConversation(userId: number, { system, tools, panes }: Conversation): void {
  let kept = panes.map((turns) => turns.map(withoutImages));
  const write = () => JSON.stringify({ user: userId, system, tools, panes: kept });
  let text = write();
  while (text.length > MOST_CHARACTERS && kept.some((turns) => turns.length > 0)) {
    kept = kept.map((turns) => turns.slice(Math.ceil(turns.length / 2)));
    text = write();
  }
  writeStored(STORAGE_KEY.playground, text.length > MOST_CHARACTERS ? undefined : text);
}

export function forgetConversation(): void {
  writeStored(STORAGE_KEY.playground, undefined);
}

function readCall(value: unknown): ToolCall {
  const { id, name, input, result } = fieldsOf(value);
  return { id: textAt(id), name: textAt(name), input: textAt(input), result: textAt(result) };
}

function readQuestion(fields: Readonly<Record<string, unknown>>): Question {
  const images = listAt(fields["images"]).map((image) => ({
    id: newId(),
    name: textAt(fieldsOf(image)["name"]),
    dataUrl: "",
  }));
  return { role: "user", id: textAt(fields["id"]), text: textAt(fields["text"]), images };
}

/** Answers that ran when the page was left have stopped. */
function readAnswer(fields: Readonly<Record<string, unknown>>): Answer {
  const { state, failure } = fields;
  const { message, status, code, values, waitSeconds } = fieldsOf(failure);
  return {
    ...emptyAnswer(textAt(fields["id"]), textAt(fields["model"])),
    state: state === "done" || state === "failed" ? state : "stopped",
    text: textAt(fields["text"]),
    thoughts: textAt(fields["thoughts"]),
    calls: listAt(fields["calls"]).map(readCall),
    finish: textAt(fields["finish"]),
    failure:
      state === "failed"
        ? {
            message: textAt(message),
            status: countAt(status),
            code: textAt(code),
            values: readRefusalValues(values),
            waitSeconds: countAt(waitSeconds),
          }
        : undefined,
    requestId: textAt(fields["requestId"]),
    dropped: listAt(fields["dropped"]).map(textAt),
    firstTokenMs: countAt(fields["firstTokenMs"]),
    totalMs: countAt(fields["totalMs"]),
    promptTokens: countAt(fields["promptTokens"]),
    completionTokens: countAt(fields["completionTokens"]),
  };
}

function readTurn(value: unknown): readonly Turn[] {
  const fields = fieldsOf(value);
  if (textAt(fields["id"]) === "") return [];
  if (fields["role"] === "user") return [readQuestion(fields)];
  return fields["role"] === "assistant" ? [readAnswer(fields)] : [];
}

/** Returns the user's stored conversation; undefined without one, or for another user's. */
export function readKeptConversation(userId: number): Conversation | undefined {
  const { user, system, tools, panes } = fieldsOf(readStoredJson(STORAGE_KEY.playground));
  if (user !== userId) return undefined;
  return {
    system: textAt(system),
    tools: textAt(tools),
    panes: listAt(panes).map((turns) => listAt(turns).flatMap(readTurn)),
  };
}
