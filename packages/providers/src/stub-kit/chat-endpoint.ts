import { type Call, type Endpoint, json, type StreamEvent, streamOrJson, type StreamReply } from "./call.ts";
import { composeReply, type FinishReason, type ToolCall } from "./compose-answer.ts";
import type { JsonObject } from "./json-fields.ts";
import { promptText } from "./prompt.ts";
import { reportUsage } from "./report-usage.ts";

export interface ChatAnswer {
  readonly call: Call;
  readonly pieces: readonly string[];
  readonly text: string;
  readonly toolCall: ToolCall | undefined;
  /** The vendor's word; undefined when the behaviour hides it. */
  readonly finish: string | undefined;
  readonly usage: JsonObject | undefined;
}

/** A vendor's own chat API. Requests and answers are composed in OpenAI's terms; a call is one token. */
interface ChatTable extends Pick<StreamReply, "ending" | "framing"> {
  readonly check?: (call: Call) => void;
  /** Default: the field `stream`. */
  readonly isStream?: (call: Call) => boolean;
  /** Text of the caller. Default: the last of the user. */
  readonly said?: (body: JsonObject) => string;
  /** Tools and choice in OpenAI's form. Default: the body. */
  readonly asked?: (body: JsonObject) => JsonObject;
  readonly limit?: (body: JsonObject) => number | undefined;
  /** The vendor's words. Default: OpenAI's. */
  readonly reasons?: Readonly<Record<FinishReason, string>>;
  readonly usage?: (call: Call, tokens: number) => JsonObject;
  readonly document: (answer: ChatAnswer) => object;
  readonly events: (answer: ChatAnswer) => Iterable<StreamEvent>;
}

export function chatEndpoint({
  check = () => undefined,
  isStream = ({ body }) => body["stream"] === true,
  said = promptText,
  asked = (body) => body,
  limit = () => undefined,
  reasons = { stop: "stop", length: "length", tool_calls: "tool_calls" },
  usage = () => ({}),
  document,
  events,
  ...framed
}: ChatTable): Endpoint {
  return (call) => {
    check(call);
    const { body, behaviour } = call;
    const { toolCall, ...reply } = composeReply(call, said(body), asked(body), limit(body));
    const pieces = toolCall === undefined ? reply.pieces : [];
    const reason = toolCall === undefined ? reply.finishReason : "tool_calls";
    const tokens = toolCall === undefined ? pieces.length : 1;
    const answer: ChatAnswer = {
      call,
      pieces,
      text: pieces.join(""),
      toolCall,
      finish: reason === null ? undefined : reasons[reason],
      usage: reportUsage(usage(call, tokens), behaviour),
    };
    return streamOrJson(isStream(call), () => json(document(answer), tokens), { events: events(answer), ...framed });
  };
}
