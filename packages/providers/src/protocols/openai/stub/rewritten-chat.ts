import type { Call, JsonReply, Reply, StreamEvent, StreamFraming } from "../../../stub-kit/call.ts";
import { isJsonObject, type JsonObject } from "../../../stub-kit/json-fields.ts";
import { chatCompletions } from "./completions.ts";

interface Rewriting {
  readonly write: (answer: JsonObject) => JsonObject;
  readonly usage: string;
  readonly wrap?: (answer: JsonObject) => JsonObject;
  readonly framing?: StreamFraming;
  readonly hasEnding: boolean;
}

/** Answers a chat in a form close to OpenAI's, with the usage in a stream's last event. */
export function rewrittenChat(call: Call, body: JsonObject, rewriting: Rewriting): Reply {
  const { write, wrap = (answer) => answer, framing, hasEnding } = rewriting;
  const reply = chatCompletions({ ...call, body: { ...body, stream_options: { include_usage: true } } });
  if (reply.kind === "bytes") return reply;
  const rewrite = (whole: JsonReply): JsonReply => ({ ...whole, body: wrap(write(objectOf(whole.body))) });
  if (reply.kind === "json") return rewrite(reply);
  return {
    kind: "stream",
    ...(framing && { framing }),
    ...(hasEnding && reply.ending && { ending: reply.ending }),
    events: rewrittenEvents(reply.events, rewriting),
    toJson: () => rewrite(reply.toJson()),
  };
}

function* rewrittenEvents(events: Iterable<StreamEvent>, { write, usage }: Rewriting): Generator<StreamEvent> {
  let last: StreamEvent | undefined;
  let answer: JsonObject = {};
  for (const event of events) {
    const written = write(objectOf(JSON.parse(event.data)));
    if (event.part === "usage") answer = { ...answer, [usage]: written[usage] };
    else if (event.part === "finish") [last, answer] = [event, written];
    else yield { ...event, data: JSON.stringify(written) };
  }
  if (last !== undefined) yield { ...last, data: JSON.stringify(answer) };
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}
