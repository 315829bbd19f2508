import assert from "node:assert/strict";
import { after, before, beforeEach, describe, it } from "node:test";
import { type GenerateContentResponse, GoogleGenAI } from "@google/genai";
import type { StubServer } from "@one-api/stub-server/start-stub-server";
import { recordOf } from "@one-api/providers/shared/json-fields";
import type OpenAI from "openai";
import { type RelayTest, startRelayTest, TEST_MODEL } from "../../../testing/start-relay-test.ts";

/** Only the Responses API has it. */
const CODEX = "gpt-5-codex";
const INSTRUCT = "gpt-3.5-turbo-instruct";
const GEMINI = "gemini-2.5-flash";
const COHERE = "command-a-03-2025";
const OLLAMA = "llama3.2";
const CLAUDE = "claude-sonnet-4-5";

/** Who tells how likely tokens were, and whether they tell the likeliest ones, too. */
const TELLERS = [
  { model: TEST_MODEL, isFull: true },
  { model: CODEX, isFull: true },
  { model: GEMINI, isFull: true },
  { model: OLLAMA, isFull: true },
  { model: COHERE, isFull: false },
];

const PIECES = ["You", " said:", " hello"];
const LOGPROBS = [-0.375, -0.75, -0.75];

/** A token as every dialect can tell it. */
interface Told {
  readonly token: string | undefined;
  readonly logprob: number | undefined;
  readonly likeliest: readonly (string | undefined)[];
}

const expected = (isFull: boolean): readonly Told[] =>
  PIECES.map((token, index) => ({ token, logprob: LOGPROBS[index], likeliest: isFull ? [token, `${token}!`] : [] }));

interface OfOpenAi {
  readonly token: string;
  readonly logprob: number;
  readonly top_logprobs?: readonly { readonly token?: string }[] | undefined;
}

const ofOpenAi = ({ token, logprob, top_logprobs: likeliest = [] }: OfOpenAi): Told => ({
  token,
  logprob,
  likeliest: likeliest.map((likely) => likely.token),
});

function ofGoogle({ candidates }: GenerateContentResponse): readonly Told[] {
  const { chosenCandidates = [], topCandidates = [] } = candidates?.[0]?.logprobsResult ?? {};
  return chosenCandidates.map((chosen, index) => ({
    token: chosen.token,
    logprob: chosen.logProbability,
    likeliest: (topCandidates[index]?.candidates ?? []).map((likely) => likely.token),
  }));
}

function ofCompletion({ choices }: OpenAI.Completion): readonly Told[] {
  const { tokens = [], token_logprobs: logprobs = [], top_logprobs: top } = choices[0]?.logprobs ?? {};
  return tokens.map((token, index) => ({
    token,
    logprob: logprobs[index],
    likeliest: Object.keys(top?.[index] ?? {}).toSorted((one, other) => one.length - other.length),
  }));
}

let gateway: RelayTest;
let upstream: StubServer;
let openai: OpenAI;
let google: GoogleGenAI;
let key: string;

before(async () => {
  gateway = await startRelayTest();
  upstream = await gateway.upstream();
  await gateway.addChannel(upstream, { models: [TEST_MODEL, CODEX, INSTRUCT].join() });
  await gateway.addChannel(upstream, { type: 24, models: GEMINI });
  await gateway.addChannel(upstream, { type: 30, models: OLLAMA });
  await gateway.addChannel(upstream, { type: 35, models: COHERE });
  await gateway.addChannel(upstream, { type: 14, models: CLAUDE });
  key = await gateway.addToken();
  openai = gateway.sdk(key);
  google = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: gateway.url } });
});
after(() => gateway.close());
beforeEach(() => upstream.clearRequests());

async function gather<Item>(
  items: AsyncIterable<Item>,
  tell: (item: Item) => readonly Told[],
): Promise<readonly Told[]> {
  const told: Told[] = [];
  for await (const item of items) told.push(...tell(item));
  return told;
}

const chatOf = (model: string) => ({
  model,
  max_tokens: 100,
  messages: [{ role: "user" as const, content: "hello" }],
  logprobs: true,
  top_logprobs: 2,
});
const responseOf = (model: string) => ({
  model,
  input: "hello",
  max_output_tokens: 100,
  include: ["message.output_text.logprobs" as const],
  top_logprobs: 2,
});
const contentOf = (model: string) => ({
  model,
  contents: "hello",
  config: { maxOutputTokens: 100, responseLogprobs: true, logprobs: 2 },
});
const promptOf = (model: string) => ({ model, prompt: "hello", max_tokens: 100, logprobs: 2 });

for (const { model, isFull } of TELLERS) {
  describe(`how likely the tokens of ${model} were`, () => {
    it("is told to OpenAI's client, whole and streamed", async () => {
      const { choices } = await openai.chat.completions.create(chatOf(model));
      assert.deepEqual((choices[0]?.logprobs?.content ?? []).map(ofOpenAi), expected(isFull));
      const chunks = await openai.chat.completions.create({ ...chatOf(model), stream: true });
      const streamed = await gather(chunks, (chunk) => (chunk.choices[0]?.logprobs?.content ?? []).map(ofOpenAi));
      assert.deepEqual(streamed, expected(isFull));
    });

    it("is told to OpenAI's client of responses, in each piece and in the whole", async () => {
      const partsOf = ({ output }: OpenAI.Responses.Response) =>
        output
          .flatMap((item) => (item.type === "message" ? item.content : []))
          .flatMap((part) => (part.type === "output_text" ? (part.logprobs ?? []) : []))
          .map(ofOpenAi);
      assert.deepEqual(partsOf(await openai.responses.create(responseOf(model))), expected(isFull));
      const wholes: (readonly Told[])[] = [];
      const events = await openai.responses.create({ ...responseOf(model), stream: true });
      const streamed = await gather(events, (event) => {
        if (event.type === "response.completed") wholes.push(partsOf(event.response));
        return event.type === "response.output_text.delta" ? event.logprobs.map(ofOpenAi) : [];
      });
      assert.deepEqual([streamed, wholes], [expected(isFull), [expected(isFull)]]);
    });

    it("is told to Google's client, whole and streamed", async () => {
      assert.deepEqual(ofGoogle(await google.models.generateContent(contentOf(model))), expected(isFull));
      const answers = await google.models.generateContentStream(contentOf(model));
      assert.deepEqual(await gather(answers, ofGoogle), expected(isFull));
    });
  });
}

// What OpenAI itself completes is passed; others complete by a chat. Of the models above these are asked for the rest.
for (const { model, isFull } of [
  { model: INSTRUCT, isFull: true },
  ...TELLERS.filter((teller) => teller.model !== CODEX && teller.model !== TEST_MODEL),
]) {
  it(`how likely the tokens of ${model} were is told to OpenAI's client of completions, with where each begins`, async () => {
    const whole = await openai.completions.create(promptOf(model));
    assert.deepEqual(ofCompletion(whole), expected(isFull));
    const offsets = whole.choices[0]?.logprobs?.text_offset;
    assert.deepEqual(offsets, [5, 8, 14]);
    const seen: number[] = [];
    const streamed = await gather(await openai.completions.create({ ...promptOf(model), stream: true }), (chunk) => {
      seen.push(...(chunk.choices[0]?.logprobs?.text_offset ?? []));
      return ofCompletion(chunk);
    });
    assert.deepEqual([streamed, seen], [expected(isFull), offsets]);
  });
}

describe("where nobody tells how likely tokens were", () => {
  it("says so, and asks for nothing", async () => {
    const { data, response } = await openai.chat.completions.create(chatOf(CLAUDE)).withResponse();
    assert.equal(data.choices[0]?.logprobs ?? null, null);
    assert.equal(response.headers.get("x-dropped-fields"), "logprobs, top_logprobs");
    assert.doesNotMatch(upstream.requests.at(-1)?.bodyText ?? "", /logprobs/);
  });

  it("says what of it Cohere does not tell, and that alone", async () => {
    const { response } = await openai.chat.completions.create(chatOf(COHERE)).withResponse();
    assert.equal(response.headers.get("x-dropped-fields"), "top_logprobs");
    assert.equal(recordOf(upstream.requests.at(-1)?.body)["logprobs"], true);
  });

  it("tells nothing to those who did not ask", async () => {
    const { logprobs: _asked, top_logprobs: _likeliest, ...plain } = chatOf(GEMINI);
    const answer = await openai.chat.completions.create(plain);
    assert.equal(answer.choices[0]?.logprobs, null);
    assert.doesNotMatch(upstream.requests.at(-1)?.bodyText ?? "", /logprobs/i);
  });
});
