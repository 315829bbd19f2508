import { z } from "zod";
import { STUB_PROMPT } from "./set-up-stub-channel.ts";

/** An answer of the stub that has arrived whole. */
export interface DeliveredAnswer {
  /** The gateway's id of the request. */
  readonly id: string;
  readonly promptTokens: number;
  readonly completionTokens: number;
}

/** An answer or an event of a stream, of OpenAI's chats and of Anthropic's messages; what holds no text is neither. */
const documentSchema = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().optional() }).optional(),
        message: z.object({ content: z.string() }).optional(),
      }),
    )
    .default([]),
  content: z.array(z.object({ text: z.string() })).default([]),
  delta: z.object({ text: z.string().optional() }).optional(),
});

/** The stub counts three for the reply and three for the message. */
const TOKENS_BESIDE_WORDS = 6;
const EVENT = "data: ";
const END_MARKS = ["data: [DONE]", "event: message_stop"];

const countWords = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;

/**
 * Returns the stub's count for an answer with the `text` so far (a token per word), from request and answer, not from
 * the relayed usage. Undefined for an error or an incomplete answer.
 */
export function readDelivered(
  answer: Response,
  text: string,
  content: string = STUB_PROMPT,
): DeliveredAnswer | undefined {
  const id = answer.headers.get("x-request-id");
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") === true;
  if (answer.status !== 200 || id === null || (isStream && !END_MARKS.some((mark) => text.includes(mark))))
    return undefined;
  const documents = isStream
    ? text.split("\n").flatMap((line) => (line.startsWith(`${EVENT}{`) ? [line.slice(EVENT.length)] : []))
    : [text];
  const answered = documents.map((document) => textOf(documentSchema.parse(JSON.parse(document)))).join("");
  return { id, promptTokens: TOKENS_BESIDE_WORDS + countWords(content), completionTokens: countWords(answered) };
}

function textOf({ choices, content, delta }: z.infer<typeof documentSchema>): string {
  const ofChoices = choices.map((choice) => choice.delta?.content ?? choice.message?.content ?? "");
  return [...ofChoices, ...content.map(({ text }) => text), delta?.text ?? ""].join("");
}
