import { type JsonRecord, isRecord, listOf, parseJson, recordOf, textOf } from "../shared/json-fields.ts";

export function eventsOf(stream: string): readonly JsonRecord[] {
  return stream
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .map((line) => parseJson(line.slice(5)))
    .filter(isRecord);
}

/** Assembles a chat stream as a client of OpenAI does: texts joined, details unchanged. */
export function chatMessageOf(events: readonly JsonRecord[]): JsonRecord {
  const deltas = events.flatMap(({ choices }) => listOf(choices)).map((choice) => recordOf(recordOf(choice).delta));
  const joined = (field: string) => deltas.map((delta) => textOf(delta[field])).join("");
  const calls = new Map<unknown, JsonRecord>();
  for (const piece of deltas.flatMap(({ tool_calls }) => listOf(tool_calls)).map(recordOf)) {
    const { index, function: called, ...rest } = piece;
    const known = calls.get(index) ?? {};
    const input = textOf(recordOf(known.function).arguments) + textOf(recordOf(called).arguments);
    calls.set(index, {
      ...known,
      ...rest,
      function: { ...recordOf(known.function), ...recordOf(called), arguments: input },
    });
  }
  return {
    role: "assistant",
    content: joined("content") || null,
    reasoning_content: joined("reasoning_content"),
    reasoning_details: deltas.flatMap(({ reasoning_details: details }) => listOf(details)),
    tool_calls: [...calls.values()],
  };
}

/** Assembles a stream as a client of Anthropic's Messages does. */
export function blocksOf(events: readonly JsonRecord[]): readonly JsonRecord[] {
  const blocks: Record<string, unknown>[] = [];
  for (const { type, index, content_block: block, delta } of events) {
    const at = Number(index);
    if (type === "content_block_start") blocks[at] = { ...recordOf(block) };
    const open = blocks[at];
    if (type !== "content_block_delta" || open === undefined) continue;
    const { text, thinking, signature, partial_json: json } = recordOf(delta);
    if (text !== undefined) open.text = textOf(open.text) + textOf(text);
    if (thinking !== undefined) open.thinking = textOf(open.thinking) + textOf(thinking);
    if (signature !== undefined) open.signature = textOf(open.signature) + textOf(signature);
    if (json !== undefined) open.json = textOf(open.json) + textOf(json);
  }
  return blocks.map(({ json, ...block }) =>
    json === undefined ? block : { ...block, input: parseJson(textOf(json)) },
  );
}

/** Assembles a stream as a client of Responses does. */
export function itemsOf(events: readonly JsonRecord[]): readonly JsonRecord[] {
  return listOf(recordOf(events.at(-1)?.response).output).map(recordOf);
}

/** Assembles a stream as a client of Gemini's API does, piece by piece. */
export function partsOf(events: readonly JsonRecord[]): readonly JsonRecord[] {
  return events
    .flatMap(({ candidates }) => listOf(candidates))
    .flatMap((candidate) => listOf(recordOf(recordOf(candidate).content).parts))
    .map(recordOf);
}
