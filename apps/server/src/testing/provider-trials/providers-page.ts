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
  ["abort", "Disconnect"],
  ["cut", "Interrupted stream"],
  ["no-usage", "No usage"],
  ["embeddings", "Embeddings"],
  ["painting", "Images"],
  ["sessions", "Sessions"],
  ["batches", "Batches"],
  ["models", "Model list"],
];

const HEAD = `# Which providers work, and what have tests shown?

The table has every channel type that can be called.
The tests write this page (\`npm run providers-page\`), and fail if it differs from their results.
[What is special about each provider?](provider-notes.md) lists the details.

The columns of the four APIs show what a client of that API gets from the provider.
The request comes from the API's official client.

| Letter | Meaning |
|---|---|
| T | a text |
| S | a stream |
| F | tools: the model calls a function and reads its result |
| P | images in the request |

| Column | Meaning |
|---|---|
| Completions | \`/v1/completions\` completes a prompt, also as a stream |
| Limit | the limit of the answer is applied, and named as its end |
| Refusals | errors have the client's format and the right status |
| Disconnect | a disconnect ends the request and is charged for the delivered part |
| Interrupted stream | an interruption by the provider ends with an error and is charged for the delivered part |
| No usage | the gateway counts an answer without usage |
| Embeddings, Images | the provider makes them |
| Sessions | a realtime session over a WebSocket runs and is charged |
| Batches | a batch is answered and charged |
| Model list, Balance | the account can be asked for them |

A dash means that the provider does not have it, or that no test shows it.
Channels do not have these APIs yet: batches of Anthropic, Google, together.ai and xAI, sessions of Alibaba and xAI.

Each provider is a stub that speaks the provider's API.
The vendors' own SDKs check stubs with a format of their own.
The other stubs speak OpenAI's API, at the paths and with the keys of the vendor's documentation.
So this page does not show the abilities of a vendor's models.
It does not show either where a vendor differs from its documentation.
`;

export function writeProvidersPage(proofs: Proofs): string {
  const heads = ["Type", "Provider", ...DIALECTS.map((dialect) => COLUMNS[dialect]), ...MORE.map(([, head]) => head)];
  // Proxy channels have no models.
  const tested = CHANNEL_TYPES.filter(({ needsNoModels }) => needsNoModels !== true);
  const rows = tested.map(({ type, label }) => [
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
