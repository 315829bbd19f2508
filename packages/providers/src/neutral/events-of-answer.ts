import type { ChatAnswer, ChatChoice, ChatEvent } from "./chat-answer.ts";
import type { MessagePart } from "./message-part.ts";

export function eventsOfAnswer({ id, model, choices, usage }: ChatAnswer): readonly ChatEvent[] {
  return [
    { type: "answer-start", id, model },
    ...choices.flatMap(eventsOfChoice),
    ...(usage === undefined ? [] : [{ type: "usage-report", usage } as const]),
    { type: "stream-end" },
  ];
}

function eventsOfChoice({ parts, finish, logprobs }: ChatChoice, choice: number): readonly ChatEvent[] {
  let calls = 0;
  let pending = logprobs;
  const events = parts.flatMap((part): readonly ChatEvent[] => {
    if (part.type === "tool-call") {
      const call = calls;
      calls += 1;
      const start = { type: "tool-call-start", choice, call, id: part.id, name: part.name } as const;
      return [start, { type: "tool-input-delta", choice, call, text: part.input }];
    }
    const told = part.type === "text" ? pending : undefined;
    if (told !== undefined) pending = undefined;
    return eventsOfPart(part, choice).map((event) =>
      told !== undefined && event.type === "text-delta" ? { ...event, logprobs: told } : event,
    );
  });
  return [...events, { type: "answer-finish", choice, finish }];
}

function eventsOfPart(part: MessagePart, choice: number): readonly ChatEvent[] {
  switch (part.type) {
    case "text":
      return [{ type: "text-delta", choice, text: part.text }];
    case "refusal":
      return [{ type: "refusal-delta", choice, text: part.text }];
    case "reasoning": {
      const { text, signature } = part;
      return [
        ...(text === "" ? [] : [{ type: "reasoning-delta", choice, text } as const]),
        ...(signature === "" ? [] : [{ type: "reasoning-signature", choice, signature } as const]),
      ];
    }
    case "hidden-reasoning":
      return [{ type: "hidden-reasoning", choice, data: part.data }];
    case "image": {
      const { source } = part;
      if (source.type !== "base64") return [];
      return [{ type: "picture", choice, mediaType: source.mediaType, data: source.data }];
    }
    default:
      return [];
  }
}
