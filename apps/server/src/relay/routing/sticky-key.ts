import type { IncomingHttpHeaders } from "node:http";
import { crc32 } from "node:zlib";
import { isRecord, type JsonRecord, listOf, recordOf, textOf } from "@one-api/providers/shared/json-fields";
import { beginningInBody, type RequestBody } from "../body/index.ts";

/**
 * Session headers of clients: OpenRouter's, opencode and Fireworks, Claude Code (https://code.claude.com/docs/en/llm-gateway-protocol), Codex in both
 * spellings (codex-rs/codex-api/src/requests/headers.rs), opencode's older one, xAI.
 */
const SESSION_HEADERS = [
  "x-session-id",
  "x-session-affinity",
  "x-claude-code-session-id",
  "session-id",
  "session_id",
  "x-opencode-session",
  "x-grok-conv-id",
] as const;

/** Shorter bodies have no prompt that a provider caches: OpenAI and Anthropic start at 1,024 tokens, about 4 KB of English. */
const LEAST_CACHED_BYTES = 4_096;
/** UTF-16 units of the instructions, and of the first turn, that identify a conversation. */
const BEGINNING_UNITS = 1_024;

/** Fields of instructions and turns in all formats. */
const INSTRUCTION_FIELDS = ["system", "instructions", "systemInstruction", "system_instruction"] as const;
const TURN_FIELDS = ["messages", "input", "contents", "prompt"] as const;

export interface ConversationSigns {
  readonly userId: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Pick<RequestBody, "bytes" | "outline">;
}

/**
 * Returns a 32-bit number that all requests of a conversation share, from the client's session or else the beginning of
 * the prompt. Undefined for a prompt too short to be cached. Differs between users. Reads about 2,000 characters.
 */
export function stickyKey({ userId, headers, body }: ConversationSigns): number | undefined {
  const session = sessionOf(headers, body.outline);
  if (session !== "") return crc32(session, userId);
  if (body.bytes.length < LEAST_CACHED_BYTES) return undefined;
  return crc32(beginningOf(body), userId);
}

function sessionOf(headers: IncomingHttpHeaders, json: JsonRecord): string {
  for (const name of SESSION_HEADERS) {
    const value = headers[name];
    if (typeof value === "string" && value !== "") return value;
  }
  return (
    textOf(json["prompt_cache_key"]) ||
    textOf(json["session_id"]) ||
    textOf(json["conversation"]) ||
    textOf(recordOf(json["conversation"])["id"]) ||
    sessionOfUser(textOf(recordOf(json["metadata"])["user_id"]))
  );
}

/** Older versions of Claude Code put the session into the user id (`…_session_<id>`, or JSON); other values name a person. */
function sessionOfUser(userId: string): string {
  return userId.includes("session") ? userId : "";
}

function beginningOf({ bytes, outline }: ConversationSigns["body"]): string {
  const instructions = new Beginning(bytes);
  const firstTurn = new Beginning(bytes);
  firstTurn.add(recordOf(outline["metadata"])["user_id"]);
  for (const field of INSTRUCTION_FIELDS) instructions.add(outline[field]);
  const turns = TURN_FIELDS.map((field) => outline[field]).find((value) => value !== undefined && value !== null);
  if (!Array.isArray(turns)) firstTurn.add(turns);
  for (const turn of listOf(turns)) {
    const role = textOf(recordOf(turn)["role"]);
    if (role === "system" || role === "developer") instructions.add(turn);
    else {
      firstTurn.add(turn);
      if (role === "user" || role === "") break;
    }
  }
  return `${instructions.text}\n${firstTurn.text}`;
}

class Beginning {
  text = "";
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  add(value: unknown): void {
    if (this.text.length >= BEGINNING_UNITS) return;
    if (typeof value === "string") {
      this.text += beginningInBody(value, this.#bytes, BEGINNING_UNITS - this.text.length);
    } else if (Array.isArray(value)) {
      for (const item of listOf(value)) this.add(item);
    } else if (isRecord(value)) {
      // Clients move cache marks between turns.
      for (const name in value) if (name !== "cache_control") this.add(value[name]);
    }
  }
}
