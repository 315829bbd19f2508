import { CHANNEL_TYPES } from "@one-api/contract/channels/channel-types";
import { providerOf } from "@one-api/providers/registry";
import { ASKED_BY_EVERY_API, type Capability, type Dialect, DIALECTS, type Proofs } from "./proofs.ts";

const LETTERS: Readonly<Record<(typeof ASKED_BY_EVERY_API)[number], string>> = {
  text: "T",
  stream: "S",
  tools: "F",
  images: "P",
};

const COLUMNS: Readonly<Record<Dialect, string>> = {
  chat: "Chat completions",
  responses: "Responses",
  messages: "Anthropic",
  gemini: "Gemini",
};

const MORE: readonly (readonly [capability: Capability, head: string])[] = [
  ["completions", "Completions"],
  ["limit", "Limit"],
  ["errors", "Refusals"],
  ["abort", "Caller leaves"],
  ["cut", "Cut stream"],
  ["no-usage", "No usage"],
  ["embeddings", "Embeddings"],
  ["painting", "Makes pictures"],
  ["sessions", "Sessions"],
  ["batches", "Batches"],
  ["models", "Model list"],
];

const HEAD = `# Providers

Every kind of channel that can be called, and what tests have shown of it. This page is written by the tests themselves
(\`npm run providers-page\`): they fail where it says anything else than they have seen.

The columns of the four APIs say what a caller of that API gets from the provider, asked with the API's official client: **T** a text, **S** a stream,
**F** tools (the model calls a function and reads what it answers), **P** pictures in the request. Further: a prompt is completed by the oldest of OpenAI's APIs (a stream too), the answer's limit is kept and named, refusals come in the caller's words with
the right status, a caller who leaves ends the call and pays for what came, a stream that the provider cuts ends with an error and is charged for what
came, an answer without usage is counted by the gateway, embeddings and pictures are made, a realtime session over a WebSocket is held and charged, a batch of requests in a file is answered and charged, and the models and the
balance of the account can be asked for. A dash is something that the provider does not have or that no test shows.
Some dashes are a vendor's own API that channels do not carry yet: batches of Anthropic, Google, together.ai and xAI, and sessions of Alibaba and xAI.

The provider is a stub that speaks the provider's API. Those of formats of their own are judged by the vendors' own SDKs
(\`packages/fake-upstream\`); for the others the stub speaks OpenAI's API at the paths and with the keys that the vendor's documentation names, so this page says nothing of
what a vendor's model can do, nor of vendors that stray from what they document.
`;

/** Writes docs/providers.md: who can be called, and what was shown of it. */
export function writeProvidersPage(proofs: Proofs): string {
  const heads = ["Type", "Provider", ...DIALECTS.map((dialect) => COLUMNS[dialect]), ...MORE.map(([, head]) => head)];
  // What passes any path on has no models to be asked for.
  const tried = CHANNEL_TYPES.filter(({ needsNoModels }) => needsNoModels !== true);
  const rows = tried.map(({ type, label }) => [
    String(type),
    label,
    ...DIALECTS.map((dialect) => lettersOf(proofs, type, dialect)),
    ...MORE.map(([capability]) => mark(proofs.has(type, capability))),
    mark(providerOf(type)?.balance !== undefined),
  ]);
  const lines = [[...heads, "Balance"], heads.concat("").map(() => "---"), ...rows];
  return `${HEAD}\n${lines.map((cells) => `| ${cells.join(" | ")} |`).join("\n")}\n`;
}

function lettersOf(proofs: Proofs, type: number, dialect: Dialect): string {
  const letters = ASKED_BY_EVERY_API.filter((what) => proofs.has(type, `${dialect}.${what}`)).map(
    (what) => LETTERS[what],
  );
  return letters.join(" ") || mark(false);
}

function mark(isShown: boolean): string {
  return isShown ? "✓" : "–";
}
