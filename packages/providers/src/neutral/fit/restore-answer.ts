import type { ChatAnswer, ChatChoice, ChatEvent } from "../chat-answer.ts";
import type { MessagePart } from "../message-part.ts";
import { type Fitting, WRAPPED_ANSWER, WRAPPED_INPUT } from "./fit-request.ts";
import { ValueUnwrapper } from "./value-unwrapper.ts";

export function restoreAnswer(answer: ChatAnswer, fitting: Fitting | undefined): ChatAnswer {
  if (fitting === undefined) return answer;
  return { ...answer, choices: answer.choices.map((choice) => restoreChoice(choice, fitting)) };
}

function restoreChoice(choice: ChatChoice, fitting: Fitting): ChatChoice {
  const lastText = choice.parts.findLast(({ type }) => type === "text");
  const said = new ValueUnwrapper(WRAPPED_ANSWER);
  const parts = choice.parts.map((part): MessagePart => {
    if (part.type === "tool-call") {
      const name = fitting.names.get(part.name) ?? part.name;
      return { ...part, name, input: fitting.wrappedTools.has(part.name) ? unwrapInput(part.input) : part.input };
    }
    if (part.type !== "text" || !fitting.wrapsAnswer) return part;
    return { ...part, text: said.push(part.text) + (part === lastText ? said.end() : "") };
  });
  return { ...choice, parts };
}

function unwrapInput(input: string): string {
  const unwrapper = new ValueUnwrapper(WRAPPED_INPUT);
  return unwrapper.push(input) + unwrapper.end();
}

export class AnswerRestoration {
  readonly #fitting: Fitting;
  readonly #texts = new Map<number, ValueUnwrapper>();
  readonly #inputs = new Map<string, ValueUnwrapper>();

  constructor(fitting: Fitting) {
    this.#fitting = fitting;
  }

  read(event: ChatEvent): readonly ChatEvent[] {
    switch (event.type) {
      case "text-delta":
        return this.#fitting.wrapsAnswer ? this.#readText(event) : [event];
      case "tool-call-start": {
        const { names, wrappedTools } = this.#fitting;
        if (wrappedTools.has(event.name)) this.#inputs.set(placeOf(event), new ValueUnwrapper(WRAPPED_INPUT));
        return [{ ...event, name: names.get(event.name) ?? event.name }];
      }
      case "tool-input-delta": {
        const unwrapper = this.#inputs.get(placeOf(event));
        if (unwrapper === undefined) return [event];
        const text = unwrapper.push(event.text);
        return text === "" ? [] : [{ ...event, text }];
      }
      case "answer-finish":
        return [...this.#rest(event.choice), event];
      default:
        return [event];
    }
  }

  #readText(event: Extract<ChatEvent, { readonly type: "text-delta" }>): readonly ChatEvent[] {
    const unwrapper = this.#texts.get(event.choice) ?? new ValueUnwrapper(WRAPPED_ANSWER);
    this.#texts.set(event.choice, unwrapper);
    const text = unwrapper.push(event.text);
    return text === "" && event.logprobs === undefined ? [] : [{ ...event, text }];
  }

  #rest(choice: number): readonly ChatEvent[] {
    const text = this.#texts.get(choice)?.end() ?? "";
    const inputs = [...this.#inputs].flatMap(([place, unwrapper]): ChatEvent[] => {
      const [ofChoice = 0, call = 0] = place.split(" ").map(Number);
      const input = ofChoice === choice ? unwrapper.end() : "";
      return input === "" ? [] : [{ type: "tool-input-delta", choice, call, text: input }];
    });
    return [...(text === "" ? [] : [{ type: "text-delta", choice, text } as const]), ...inputs];
  }
}

function placeOf({ choice, call }: { readonly choice: number; readonly call: number }): string {
  return `${choice} ${call}`;
}
