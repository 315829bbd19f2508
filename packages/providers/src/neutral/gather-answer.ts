import type { ChatAnswer, ChatEvent, Finish } from "./chat-answer.ts";
import type { Failure } from "../failure.ts";
import { completedBy, NO_USAGE, type Usage } from "../usage.ts";
import type { WrittenToken } from "./logprobs.ts";
import type { MessagePart } from "./message-part.ts";

export type GatheredAnswer =
  | { readonly ok: true; readonly answer: ChatAnswer }
  /** Undefined if the events ended before the answer did. */
  | { readonly ok: false; readonly failure: Failure | undefined };

interface Choice {
  readonly parts: MessagePart[];
  readonly logprobs: WrittenToken[];
  finish: Finish | undefined;
}

export function gatherAnswer(events: Iterable<ChatEvent>): GatheredAnswer {
  const choices = new Map<number, Choice>();
  let head = { id: "", model: "" };
  let usage: Usage | undefined;
  for (const event of events) {
    if (event.type === "stream-end") break;
    if (event.type === "error") return { ok: false, failure: event.failure };
    if (event.type === "answer-start") head = { id: event.id, model: event.model };
    else if (event.type === "usage-report") usage = completedBy(event.usage, usage);
    else if (event.type === "tool-fee-report") usage = completedBy({ ...NO_USAGE, toolFees: event.toolFees }, usage);
    else addToChoice(choices, event);
  }
  const gathered = [...choices.entries()].toSorted(([one], [other]) => one - other).map(([, choice]) => choice);
  const whole = gathered.flatMap(({ parts, finish, logprobs }) =>
    finish === undefined ? [] : [{ parts, finish, ...(logprobs.length > 0 && { logprobs }) }],
  );
  if (whole.length === 0 || whole.length < gathered.length) return { ok: false, failure: undefined };
  return { ok: true, answer: { ...head, choices: whole, usage } };
}

type ChoiceEvent = Extract<ChatEvent, { readonly choice: number }>;

function addToChoice(choices: Map<number, Choice>, event: ChoiceEvent): void {
  const choice = choices.get(event.choice) ?? { parts: [], logprobs: [], finish: undefined };
  choices.set(event.choice, choice);
  if (event.type === "answer-finish") choice.finish = event.finish;
  else addPart(choice.parts, event);
  if (event.type === "text-delta") choice.logprobs.push(...(event.logprobs ?? []));
}

function addPart(parts: MessagePart[], event: Exclude<ChoiceEvent, { readonly type: "answer-finish" }>): void {
  const last = parts.at(-1);
  const goOn = (part: MessagePart) => void parts.splice(parts.length - 1, 1, part);
  switch (event.type) {
    case "text-delta":
      return last?.type === "text"
        ? goOn({ ...last, text: last.text + event.text })
        : void parts.push({ type: "text", text: event.text });
    case "refusal-delta":
      return last?.type === "refusal"
        ? goOn({ ...last, text: last.text + event.text })
        : void parts.push({ type: "refusal", text: event.text });
    case "reasoning-delta":
      return last?.type === "reasoning" && last.signature === ""
        ? goOn({ ...last, text: last.text + event.text })
        : void parts.push({ type: "reasoning", text: event.text, signature: "" });
    case "reasoning-signature":
      return last?.type === "reasoning"
        ? goOn({ ...last, signature: event.signature })
        : void parts.push({ type: "reasoning", text: "", signature: event.signature });
    case "hidden-reasoning":
      return void parts.push({ type: "hidden-reasoning", data: event.data });
    case "picture":
      return void parts.push({
        type: "image",
        source: { type: "base64", mediaType: event.mediaType, data: event.data },
      });
    case "tool-call-start":
      return void parts.push({ type: "tool-call", id: event.id, name: event.name, input: "" });
    case "tool-input-delta":
      return addInput(parts, event.call, event.text);
  }
}

function addInput(parts: MessagePart[], call: number, text: string): void {
  const places = [...parts.entries()].filter(([, part]) => part.type === "tool-call");
  const [place, part] = places[call] ?? [];
  if (place !== undefined && part?.type === "tool-call") parts[place] = { ...part, input: part.input + text };
}
