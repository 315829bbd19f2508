import { type DeliveredAnswer, readDelivered } from "../gateway/delivered-answer.ts";
import { askStub, type StubQuestion } from "../gateway/set-up-stub-channel.ts";

/** Streams and whole answers, of callers of both APIs. */
const WAYS: readonly StubQuestion[] = [
  { api: "openai", stream: true },
  { api: "anthropic", stream: true },
  { api: "openai", stream: false },
  { api: "openai", stream: true },
  { api: "anthropic", stream: false },
];

interface Target {
  readonly url: string;
  readonly key: string;
}

/**
 * Sends so many requests at once, with prompts of different lengths, in all ways in turn. Returns the complete answers,
 * after a callback for each; answers that a stopped gateway left open are omitted.
 */
export async function askInEveryWay(
  { url, key }: Target,
  count: number,
  onEnd: () => void = () => {},
): Promise<DeliveredAnswer[]> {
  const answers = await Promise.all(
    Array.from({ length: count }, (_, index) => askToEnd({ url, key }, 1 + index, WAYS[index % WAYS.length], onEnd)),
  );
  return answers.filter((answer) => answer !== undefined);
}

async function askToEnd(
  { url, key }: Target,
  words: number,
  way: StubQuestion | undefined,
  onEnd: () => void,
): Promise<DeliveredAnswer | undefined> {
  const content = "word ".repeat(words);
  let delivered: DeliveredAnswer | undefined;
  try {
    const answer = await askStub(url, key, { ...way, content });
    let text = "";
    const look = () => {
      if (delivered !== undefined) return;
      delivered = readDelivered(answer, text, content);
      if (delivered !== undefined) onEnd();
    };
    for await (const piece of answer.body ?? []) {
      text += Buffer.from(piece).toString();
      // A whole answer can only be read when it is complete.
      if (way?.stream === true) look();
    }
    look();
  } catch {
    // The gateway was killed; what had arrived before counts.
  }
  return delivered;
}
