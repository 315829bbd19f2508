import { curlCall, KEY_VARIABLE } from "../../../lib/values/call-example.ts";
import { type ChatAsk, toolsFor, writeChatRequest } from "../chat/chat-request.ts";
import { writeAnthropicRequest } from "./write-anthropic-request.ts";
import { type LiteralStyle, PYTHON, TYPESCRIPT, writeLiteral } from "./write-literal.ts";

export const CODE_KINDS = ["curl", "python", "typescript", "anthropic"] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

function fieldLines(body: object, style: LiteralStyle, indent: string, join: string): string {
  return Object.entries(body)
    .map(([name, value]) => `${indent}${name}${join}${writeLiteral(value, style, indent)},`)
    .join("\n");
}

function writePython(ask: ChatAsk, address: string): string {
  const said = toolsFor(ask).length === 0 ? "message.content" : "message";
  return `import os
from openai import OpenAI

client = OpenAI(base_url="${address}/v1", api_key=os.environ["${KEY_VARIABLE}"])
answer = client.chat.completions.create(
${fieldLines(writeChatRequest(ask), PYTHON, "    ", "=")}
)
print(answer.choices[0].${said})`;
}

function writeTypeScript(ask: ChatAsk, address: string): string {
  const said = toolsFor(ask).length === 0 ? "message.content" : "message";
  return `import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${address}/v1", apiKey: process.env.${KEY_VARIABLE} });
const answer = await client.chat.completions.create({
${fieldLines(writeChatRequest(ask), TYPESCRIPT, "  ", ": ")}
});
console.log(answer.choices[0]?.${said});`;
}

function writeAnthropic(ask: ChatAsk, address: string): string {
  return `import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${address}", apiKey: process.env.${KEY_VARIABLE} });
const answer = await client.messages.create({
${fieldLines(writeAnthropicRequest(ask), TYPESCRIPT, "  ", ": ")}
});
console.log(answer.content);`;
}

const writers: Readonly<Record<CodeKind, (ask: ChatAsk, address: string) => string>> = {
  curl: (ask, address) => curlCall(address, "/v1/chat/completions", writeChatRequest(ask)),
  python: writePython,
  typescript: writeTypeScript,
  anthropic: writeAnthropic,
};

/** Writes the ask as a program that works as pasted, given the key in the environment. `address` is the gateway's, without a path. */
export function writeCode(kind: CodeKind, ask: ChatAsk, address: string): string {
  return writers[kind](ask, address);
}

export function shortened(code: string): string {
  return code.replaceAll(/(base64,|data: ")[A-Za-z0-9+/=]{80,}/g, "$1…");
}
