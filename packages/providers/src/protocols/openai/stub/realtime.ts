import type { Behaviour } from "../../../stub-kit/behaviour.ts";
import { isJsonObject, type JsonObject, listField, objectField } from "../../../stub-kit/json-fields.ts";
import { contentText } from "../../../stub-kit/prompt.ts";
import { bearerKey, refuse } from "../../../stub-kit/refusal.ts";
import { readMessage, speak } from "../../../stub-kit/speak.ts";
import type { OpenedSession, RunningSession, SessionApi } from "../../../stub-kit/stub.ts";

/** Bytes per second of 16-bit audio at 24 kHz, and its tokens as input and as output. */
const SECOND_BYTES = 48_000;
const [HEARD, SPOKEN] = [10, 20] as const;
const PIECE_SOUND = Buffer.alloc(SECOND_BYTES / 10, 1).toString("base64");

type PieceKind = "text" | "audio" | "call";

interface Speaking {
  readonly id: string;
  isCancelled: boolean;
}

/** Source: https://platform.openai.com/docs/guides/realtime-websocket */
export function realtimeSessions({ path, readKey }: Partial<Pick<SessionApi, "path" | "readKey">> = {}): SessionApi {
  return {
    path: path ?? /^\/v1\/realtime$/,
    readKey(record) {
      const key = (readKey ?? keyOf)(record);
      if (modelOf(record.query) === "") refuse("You must provide a model parameter.");
      return key;
    },
    writeError: (_status, body) => body,
    open: (session) => new RealtimeSession(session),
  };
}

/** Bearer token or, in browsers, a suffix of the subprotocol. */
const keyOf: SessionApi["readKey"] = ({ headers }) => {
  const protocol = /openai-insecure-api-key\.([^,\s]+)/.exec(headers["sec-websocket-protocol"] ?? "")?.[1];
  return bearerKey(headers.authorization) ?? protocol;
};

function modelOf(query: string): string {
  const values = new URLSearchParams(query);
  return values.get("model") ?? values.get("deployment") ?? "";
}

class RealtimeSession implements RunningSession {
  readonly #parts: OpenedSession;
  readonly #isBeta: boolean;
  readonly #speaking = new Map<string, Speaking>();
  #session: JsonObject = {};
  #count = 0;
  #said = "";
  #soundBytes = 0;
  #isHeard = false;
  #promptTokens = 0;
  #promptSoundTokens = 0;
  #isOver = false;

  constructor(parts: OpenedSession) {
    const { socket, record } = parts;
    this.#parts = parts;
    this.#isBeta = record.headers["openai-beta"] === "realtime=v1";
    const model = modelOf(record.query);
    const audio = {
      input: {
        format: { type: "audio/pcm", rate: 24_000 },
        transcription: null,
        turn_detection: { type: "server_vad" },
      },
      output: { format: { type: "audio/pcm", rate: 24_000 }, voice: "alloy" },
    };
    const common = { id: this.#id("sess"), object: "realtime.session", model, instructions: "", tools: [] };
    this.#session = this.#isBeta
      ? { ...common, modalities: ["text", "audio"], output_audio_format: "pcm16", max_response_output_tokens: "inf" }
      : { ...common, type: "realtime", output_modalities: ["audio"], audio, max_output_tokens: "inf" };
    socket.on("message", (data) => this.#receive(data));
    socket.on("error", () => undefined);
    this.#send({ type: "session.created", session: this.#session });
  }

  stop(): void {
    this.#isOver = true;
  }

  #id(kind: string): string {
    this.#count += 1;
    return `${kind}_${this.#count}`;
  }

  #send(event: JsonObject): void {
    const text = JSON.stringify({ event_id: this.#id("event"), ...event });
    this.#parts.record.bytesSent += text.length;
    if (this.#parts.socket.readyState === this.#parts.socket.OPEN) this.#parts.socket.send(text);
  }

  #refuse(code: string, message: string, eventId: unknown): void {
    const error = { type: "invalid_request_error", code, message, param: null, event_id: eventId ?? null };
    this.#send({ type: "error", error });
  }

  #receive(data: unknown): void {
    const event = readMessage(this.#parts, data);
    if (event === undefined) this.#refuse("invalid_json", "The event is no JSON.", undefined);
    else if (isJsonObject(event)) this.#obey(event);
  }

  #obey(event: JsonObject): void {
    switch (event["type"]) {
      case "session.update":
        return this.#update(event);
      case "input_audio_buffer.append":
        return this.#append(event);
      case "input_audio_buffer.commit":
        if (this.#soundBytes > 0) return this.#commit();
        return this.#refuse("input_audio_buffer_commit_empty", "The buffer is empty.", event["event_id"]);
      case "input_audio_buffer.clear":
        this.#soundBytes = 0;
        return this.#send({ type: "input_audio_buffer.cleared" });
      case "conversation.item.create":
        return this.#add(event);
      case "response.create":
        return void this.#answer(objectField(event, "response"));
      case "response.cancel":
        if (this.#speaking.size === 0)
          return this.#refuse("response_cancel_not_active", "There is no active response.", event["event_id"]);
        for (const speaking of this.#speaking.values()) speaking.isCancelled = true;
        return;
      default:
        this.#refuse("invalid_value", `Unknown type: ${String(event["type"])}`, event["event_id"]);
    }
  }

  #update(event: JsonObject): void {
    const changes = objectField(event, "session");
    if (changes["model"] !== undefined && changes["model"] !== this.#session["model"])
      return this.#refuse("cannot_update_model", "The model cannot be changed.", event["event_id"]);
    const [audio, changedAudio] = [objectField(this.#session, "audio"), objectField(changes, "audio")];
    const merged = Object.fromEntries(
      ["input", "output"].map((name) => [name, { ...objectField(audio, name), ...objectField(changedAudio, name) }]),
    );
    this.#session = { ...this.#session, ...changes, ...(this.#isBeta ? {} : { audio: merged }) };
    this.#promptTokens += wordsOf(changes["instructions"]);
    this.#send({ type: "session.updated", session: this.#session });
  }

  #append(event: JsonObject): void {
    const sound = Buffer.from(typeof event["audio"] === "string" ? event["audio"] : "", "base64");
    const isSilent = sound.every((byte) => byte === 0);
    this.#soundBytes += sound.length;
    if (
      isSilent &&
      this.#isHeard &&
      objectField(objectField(this.#session, "audio"), "input")["turn_detection"] !== null
    ) {
      this.#isHeard = false;
      this.#commit();
      void this.#answer({});
    } else if (!isSilent) this.#isHeard = true;
  }

  #commit(): void {
    const itemId = this.#id("item");
    const tokens = Math.ceil((this.#soundBytes / SECOND_BYTES) * HEARD);
    this.#soundBytes = 0;
    this.#promptTokens += tokens;
    this.#promptSoundTokens += tokens;
    this.#said = `${tokens} tokens of sound`;
    this.#send({ type: "input_audio_buffer.committed", item_id: itemId, previous_item_id: null });
    const { transcription } = objectField(objectField(this.#session, "audio"), "input");
    if (!isJsonObject(transcription)) return;
    const name = "conversation.item.input_audio_transcription";
    this.#send({ type: `${name}.delta`, item_id: itemId, content_index: 0, delta: "I said " });
    const counted = { input_tokens: tokens, input_token_details: { audio_tokens: tokens, text_tokens: 0 } };
    const usage =
      transcription["model"] === "whisper-1"
        ? { type: "duration", seconds: tokens / HEARD }
        : { type: "tokens", ...counted, output_tokens: 4, total_tokens: tokens + 4 };
    this.#send({ type: `${name}.completed`, item_id: itemId, content_index: 0, transcript: "I said so.", usage });
  }

  #add(event: JsonObject): void {
    const item = objectField(event, "item");
    this.#said = contentText(item["content"]) || contentText(item["output"]);
    this.#promptTokens += wordsOf(this.#said);
    const added = { ...item, id: item["id"] ?? this.#id("item"), object: "realtime.item", status: "completed" };
    this.#send({ type: this.#isBeta ? "conversation.item.created" : "conversation.item.added", item: added });
  }

  async #answer(options: JsonObject): Promise<void> {
    const behaviour = this.#parts.markedBehaviour(this.#said) ?? this.#parts.behaviourFor();
    const speaking: Speaking = { id: this.#id("resp"), isCancelled: false };
    this.#speaking.set(speaking.id, speaking);
    const prompt = { tokens: this.#promptTokens, sound: this.#promptSoundTokens };
    const response = {
      id: speaking.id,
      object: "realtime.response",
      conversation_id: options["conversation"] === "none" ? null : "conv_1",
    };
    this.#send({ type: "response.created", response: { ...response, status: "in_progress", output: [], usage: null } });
    const itemId = this.#id("item");
    const tools = listField(options["tools"] === undefined ? this.#session : options, "tools");
    const call = behaviour.callTool === true ? tools.find(isJsonObject) : undefined;
    const item =
      call === undefined
        ? { id: itemId, type: "message", role: "assistant", content: [] }
        : { id: itemId, type: "function_call", name: call["name"], call_id: this.#id("call"), arguments: "{}" };
    this.#send({ type: "response.output_item.added", response_id: speaking.id, output_index: 0, item });
    const text = behaviour.text ?? `You said: ${this.#said}`;
    const kind = call === undefined ? this.#modality(options) : "call";
    const says = call === undefined ? text.split(/(?<= )/) : ["{}"];
    const place = { response_id: speaking.id, item_id: itemId, output_index: 0, content_index: 0 };
    const pieces = await speak(this.#parts, says, behaviour, {
      isOver: () => this.#isOver,
      isInterrupted: () => speaking.isCancelled,
      send: (piece) => this.#sendPiece(place, piece, kind),
    });
    this.#speaking.delete(speaking.id);
    if (pieces === undefined) return;
    const output = [call === undefined ? { ...item, content: [{ type: "output_text", text }] } : item];
    const status = speaking.isCancelled ? "cancelled" : "completed";
    const usage = this.#usageOf(pieces, prompt, behaviour, kind === "audio");
    this.#promptTokens += pieces;
    this.#send({ type: "response.output_item.done", response_id: speaking.id, output_index: 0, item: output[0] });
    this.#send({ type: "response.done", response: { ...response, status, output, usage } });
  }

  #modality(options: JsonObject): "text" | "audio" {
    const name = this.#isBeta ? "modalities" : "output_modalities";
    return listField(options[name] === undefined ? this.#session : options, name).includes("audio") ? "audio" : "text";
  }

  #sendPiece(place: JsonObject, delta: string, kind: PieceKind): void {
    const own = this.#isBeta ? "" : "output_";
    if (kind === "call") return this.#send({ type: "response.function_call_arguments.delta", ...place, delta });
    if (kind === "text") return this.#send({ type: `response.${own}text.delta`, ...place, delta });
    this.#send({ type: `response.${own}audio_transcript.delta`, ...place, delta });
    this.#send({ type: `response.${own}audio.delta`, ...place, delta: PIECE_SOUND });
  }

  #usageOf(
    pieces: number,
    prompt: { readonly tokens: number; readonly sound: number },
    behaviour: Behaviour,
    isAudio: boolean,
  ): JsonObject | null {
    if (behaviour.kind === "usage-override") return behaviour.report === "none" ? null : { ...behaviour.usage };
    const audio = isAudio ? Math.ceil((pieces / 10) * SPOKEN) : 0;
    const output = pieces + audio;
    return {
      total_tokens: prompt.tokens + output,
      input_tokens: prompt.tokens,
      output_tokens: output,
      input_token_details: {
        text_tokens: prompt.tokens - prompt.sound,
        audio_tokens: prompt.sound,
        cached_tokens: 0,
        cached_tokens_details: { text_tokens: 0, audio_tokens: 0 },
      },
      output_token_details: { text_tokens: pieces, audio_tokens: audio },
    };
  }
}

function wordsOf(text: unknown): number {
  return typeof text === "string" && text !== "" ? text.split(/\s+/).length : 0;
}
