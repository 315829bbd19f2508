import type { Behaviour } from "../../../stub-kit/behaviour.ts";
import { isJsonObject, type JsonObject, listField, objectField, objectsField } from "../../../stub-kit/json-fields.ts";
import { contentText, countWords } from "../../../stub-kit/prompt.ts";
import { readMessage, speak } from "../../../stub-kit/speak.ts";
import type { OpenedSession, RunningSession, SessionApi } from "../../../stub-kit/stub.ts";
import { geminiErrorBody } from "./gemini-api.ts";

/** Bytes per second: the caller's 16-bit audio at 16 kHz, the model's at 24 kHz. Tokens per second of both. */
const [HEARD_BYTES, SPOKEN_BYTES, TOKENS] = [32_000, 48_000, 25] as const;
const PIECE_TOKENS = 10;
const PIECE_SOUND = Buffer.alloc((SPOKEN_BYTES * PIECE_TOKENS) / TOKENS, 1).toString("base64");
const [INVALID, POLICY] = [1007, 1008] as const;

export function liveSessions({
  model,
  ...api
}: Pick<SessionApi, "path" | "readKey"> & { readonly model: RegExp }): SessionApi {
  return { ...api, writeError: geminiErrorBody, open: (session) => new LiveSession(session, model) };
}

/** A session with a setup and one answer at a time. Source: https://ai.google.dev/api/live */
class LiveSession implements RunningSession {
  readonly #parts: OpenedSession;
  readonly #model: RegExp;
  #setup: JsonObject | undefined;
  #said = "";
  #heardBytes = 0;
  #isHeard = false;
  #text = 0;
  #sound = 0;
  #speaking: { isInterrupted: boolean } | undefined;
  #ended: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor(parts: OpenedSession, model: RegExp) {
    const { socket } = parts;
    this.#parts = parts;
    this.#model = model;
    socket.on("message", (data) => this.#receive(data));
    socket.on("error", () => undefined);
  }

  stop(): void {
    this.#isOver = true;
  }

  /** Google sends JSON in binary frames. */
  #send(message: JsonObject): void {
    const bytes = Buffer.from(JSON.stringify(message));
    this.#parts.record.bytesSent += bytes.length;
    if (this.#parts.socket.readyState === this.#parts.socket.OPEN) this.#parts.socket.send(bytes);
  }

  #receive(data: unknown): void {
    const message = camelCased(readMessage(this.#parts, data));
    if (!isJsonObject(message)) this.#parts.socket.close(INVALID, "Invalid JSON payload received.");
    else if (this.#setup === undefined) this.#setUp(message["setup"]);
    else this.#obey(message);
  }

  #setUp(setup: unknown): void {
    const { socket } = this.#parts;
    if (!isJsonObject(setup)) return socket.close(INVALID, "setup must be the first message and only the first");
    const model = String(setup["model"]);
    if (!this.#model.test(model)) return socket.close(INVALID, `Unexpected model name format: ${model}`);
    if (/unknown/.test(model)) return socket.close(POLICY, `${model} is not found for API version v1beta.`);
    this.#setup = setup;
    this.#text += countWords(contentText(objectField(setup, "systemInstruction")["parts"]));
    this.#send({ setupComplete: {} });
  }

  #obey(message: JsonObject): void {
    const { clientContent, realtimeInput, toolResponse } = message;
    if (isJsonObject(clientContent)) {
      for (const turn of objectsField(clientContent, "turns")) this.#say(contentText(turn["parts"]));
      if (clientContent["turnComplete"] === true) this.#begin();
    } else if (isJsonObject(toolResponse)) {
      const [response] = listField(toolResponse, "functionResponses");
      const output = isJsonObject(response) ? objectField(response, "response")["output"] : "";
      this.#say(String(output));
      this.#begin();
    } else if (isJsonObject(realtimeInput)) this.#listen(realtimeInput);
    else this.#parts.socket.close(INVALID, "Request contains an invalid argument.");
  }

  #say(text: string): void {
    this.#said = text;
    this.#text += countWords(text);
  }

  #listen({ audio, text }: JsonObject): void {
    if (typeof text === "string") {
      this.#say(text);
      return this.#begin();
    }
    const data = isJsonObject(audio) ? audio["data"] : undefined;
    const sound = Buffer.from(typeof data === "string" ? data : "", "base64");
    const isSilent = sound.every((byte) => byte === 0);
    this.#heardBytes += sound.length;
    if (!isSilent) this.#isHeard = true;
    else if (this.#isHeard) {
      this.#isHeard = false;
      const tokens = Math.ceil((this.#heardBytes / HEARD_BYTES) * TOKENS);
      this.#heardBytes = 0;
      this.#sound += tokens;
      this.#said = `${tokens} tokens of sound`;
      this.#begin();
    }
  }

  /** A new answer interrupts the previous one. */
  #begin(): void {
    const behaviour = this.#parts.markedBehaviour(this.#said) ?? this.#parts.behaviourFor();
    if (this.#speaking !== undefined) this.#speaking.isInterrupted = true;
    this.#ended = this.#ended.then(() => this.#answer(behaviour));
  }

  async #answer(behaviour: Behaviour): Promise<void> {
    const speaking = { isInterrupted: false };
    this.#speaking = speaking;
    const prompt = { text: this.#text, sound: this.#sound };
    const tool = behaviour.callTool === true ? this.#tool() : undefined;
    if (tool !== undefined) {
      this.#speaking = undefined;
      const call = { id: "call_1", name: tool["name"], args: {} };
      return this.#send({ toolCall: { functionCalls: [call] }, ...usageOf(behaviour, prompt, 1, 0) });
    }
    const text = behaviour.text ?? `You said: ${this.#said}`;
    const pieces = await speak(this.#parts, text.split(/(?<= )/), behaviour, {
      isOver: () => this.#isOver,
      isInterrupted: () => speaking.isInterrupted,
      send: (piece) => this.#sendPiece(piece),
    });
    if (pieces === undefined) return;
    if (this.#speaking === speaking) this.#speaking = undefined;
    if (speaking.isInterrupted) this.#send({ serverContent: { interrupted: true } });
    else this.#send({ serverContent: { generationComplete: true } });
    this.#text += pieces;
    this.#send({
      serverContent: { turnComplete: true },
      ...usageOf(behaviour, prompt, pieces, this.#isSpoken() ? pieces * PIECE_TOKENS : 0),
    });
  }

  #tool(): JsonObject | undefined {
    const [tools] = listField(this.#setup ?? {}, "tools");
    return isJsonObject(tools) ? listField(tools, "functionDeclarations").find(isJsonObject) : undefined;
  }

  #isSpoken(): boolean {
    return listField(objectField(this.#setup ?? {}, "generationConfig"), "responseModalities").includes("AUDIO");
  }

  #sendPiece(text: string): void {
    if (!this.#isSpoken()) return this.#send({ serverContent: { modelTurn: { parts: [{ text }] } } });
    const inlineData = { mimeType: "audio/pcm;rate=24000", data: PIECE_SOUND };
    this.#send({ serverContent: { modelTurn: { parts: [{ inlineData }] } } });
    this.#send({ serverContent: { outputTranscription: { text } } });
  }
}

function usageOf(
  behaviour: Behaviour,
  prompt: { readonly text: number; readonly sound: number },
  text: number,
  spoken: number,
): JsonObject {
  if (behaviour.kind === "usage-override") {
    return behaviour.report === "none" ? {} : { usageMetadata: { ...behaviour.usage } };
  }
  const counts = (words: number, sound: number) => [
    { modality: "TEXT", tokenCount: words },
    { modality: "AUDIO", tokenCount: sound },
  ];
  const [promptTokenCount, responseTokenCount] = [prompt.text + prompt.sound, text + spoken];
  return {
    usageMetadata: {
      promptTokenCount,
      responseTokenCount,
      totalTokenCount: promptTokenCount + responseTokenCount,
      promptTokensDetails: counts(prompt.text, prompt.sound),
      responseTokensDetails: counts(text, spoken),
    },
  };
}

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isJsonObject(value)) return value;
  const fields = Object.entries(value).map(([name, field]) => [
    name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
    camelCased(field),
  ]);
  return Object.fromEntries(fields);
}
