import type { WrittenRequest } from "../../format-sides.ts";
import {
  type ChatMessage,
  type ChatRequest,
  type Drop,
  takeForeignFields,
  UntranslatableError,
} from "../../neutral/chat-request.ts";
import { dropOptions } from "../../neutral/drop-options.ts";
import { dropPart } from "../../neutral/texts-alone.ts";
import type { ImagePart, MessagePart } from "../../neutral/message-part.ts";
import { type JsonRecord, withoutMissing } from "../../shared/json-fields.ts";

/** Input fields that a maker's models share; every model has its own schema. */
interface InputNames {
  readonly system: string;
  readonly limit: string;
  /** Absent: no pictures. */
  readonly picture?: { readonly field: string; readonly many: boolean };
  /** Longest answer; the models refuse a higher limit. */
  readonly mostTokens?: number;
  readonly effort?: true;
}

const USUAL: InputNames = { system: "system_prompt", limit: "max_tokens", picture: { field: "image", many: false } };
const TEXT_ALONE: InputNames = { system: "system_prompt", limit: "max_tokens", mostTokens: 4_096 };

/** Source: the pages of the models in https://replicate.com/collections/language-models */
const NAMES_OF_MAKER: ReadonlyMap<string, InputNames> = new Map([
  ["meta", TEXT_ALONE],
  ["mistralai", TEXT_ALONE],
  ["ibm-granite", TEXT_ALONE],
  ["deepseek-ai", { system: "system_prompt", limit: "max_tokens" }],
  [
    "openai",
    {
      system: "system_prompt",
      limit: "max_completion_tokens",
      picture: { field: "image_input", many: true },
      effort: true,
    },
  ],
  ["google", { system: "system_instruction", limit: "max_output_tokens", picture: { field: "images", many: true } }],
]);

/** Fields that are not reported as dropped, because they are written or reported elsewhere. */
const KNOWN = new Set([
  "max_tokens",
  "temperature",
  "top_p",
  "top_k",
  "seed",
  "frequency_penalty",
  "presence_penalty",
  "stop",
  "reasoning_effort",
]);

/** Writes the input of a prediction: one prompt with the conversation. Source: https://replicate.com/docs/reference/http#predictions.create */
export function writeRequest(request: ChatRequest): WrittenRequest {
  const dropped = new Set<string>();
  const drop: Drop = (name) => void dropped.add(name);
  const { model, options } = request;
  const names = NAMES_OF_MAKER.get(model.split("/")[0] ?? "") ?? USUAL;
  takeForeignFields(request.foreign, "replicate-prediction", drop);
  dropOptions(request, KNOWN, drop);
  const system = request.messages.filter(({ role }) => role === "system").map((message) => textOf(message, drop));
  const input = withoutMissing({
    prompt: writePrompt(request, drop),
    [names.system]: system.length === 0 ? undefined : system.join("\n\n"),
    [names.limit]: limitOf(options.maxTokens, names, drop),
    temperature: options.temperature,
    top_p: options.topP,
    top_k: options.topK,
    seed: options.seed,
    frequency_penalty: options.frequencyPenalty,
    presence_penalty: options.presencePenalty,
    stop_sequences: writeStops(options.stop, drop),
    reasoning_effort: writeEffort(request, names, drop),
    ...writePictures(request, names, drop),
  });
  return { body: { input, stream: true }, dropped: [...dropped] };
}

function limitOf(maxTokens: number | undefined, { mostTokens = Infinity }: InputNames, drop: Drop): number | undefined {
  if (maxTokens === undefined || maxTokens <= mostTokens) return maxTokens;
  drop("max_tokens");
  return mostTokens;
}

function writeEffort({ options }: ChatRequest, { effort: isKnown }: InputNames, drop: Drop): string | undefined {
  const effort = options.reasoning?.effort;
  if (options.reasoning !== undefined && (isKnown !== true || effort === undefined)) drop("reasoning_effort");
  return isKnown === true ? effort : undefined;
}

/** Stop sequences are one text, separated by commas. */
function writeStops(stops: readonly string[], drop: Drop): string | undefined {
  const sayable = stops.filter((stop) => !stop.includes(","));
  if (sayable.length < stops.length) drop("stop");
  return sayable.length === 0 ? undefined : sayable.join(",");
}

const SPEAKERS = { user: "User", assistant: "Assistant" } as const;

/** A single message stays unchanged; several are labelled with their speaker, so that the model continues as the assistant. */
function writePrompt({ messages }: ChatRequest, drop: Drop): string {
  const turns = messages.flatMap((message) => {
    const text = textOf(message, drop);
    return message.role === "system" || text === "" ? [] : [{ speaker: SPEAKERS[message.role], text }];
  });
  const [only, ...others] = turns;
  if (only === undefined) {
    throw new UntranslatableError("messages", "The messages hold no text for the model of this request: send one.");
  }
  if (others.length === 0) return only.text;
  return [...turns.map(({ speaker, text }) => `${speaker}: ${text}`), `${SPEAKERS.assistant}:`].join("\n\n");
}

function textOf({ parts }: ChatMessage, drop: Drop): string {
  return parts.flatMap((part) => textOfPart(part, drop)).join("\n\n");
}

function textOfPart(part: MessagePart, drop: Drop): readonly string[] {
  switch (part.type) {
    case "text":
    case "refusal":
      return part.text === "" ? [] : [part.text];
    case "image":
      return [];
    default:
      dropPart(part, drop);
      return [];
  }
}

function writePictures({ messages }: ChatRequest, { picture }: InputNames, drop: Drop): JsonRecord {
  const addresses = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "image" ? [addressOf(part, drop)] : [])),
  );
  if (addresses.length === 0) return {};
  if (picture === undefined) {
    throw new UntranslatableError("messages", "The model of this request reads no pictures: leave them out.");
  }
  if (picture.many) return { [picture.field]: addresses };
  if (addresses.length > 1) drop("messages.image");
  return { [picture.field]: addresses.at(-1) };
}

function addressOf({ source }: ImagePart, drop: Drop): string | undefined {
  if (source.type === "url") return source.url;
  if (source.type === "base64") return `data:${source.mediaType};base64,${source.data}`;
  drop("messages.image.file_id");
  return undefined;
}
