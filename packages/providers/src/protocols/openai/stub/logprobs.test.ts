import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { GoogleGenAI } from "@google/genai";
import { CohereClientV2 } from "cohere-ai";
import { Ollama } from "ollama";
import { collect, withStubServer } from "@one-api/stub-server/testing/with-stub-server";

const messages = [{ role: "user" as const, content: "hello" }];
const PIECES = ["You", " said:", " hello"];
const LOGPROBS = [-0.375, -0.75, -0.75];

/** Texts, log probabilities and alternatives that a client received. */
type Told = readonly (readonly [token: unknown, logprob: unknown, likeliest?: unknown])[];

function assertTold(told: Told, likeliest?: readonly unknown[]): void {
  const expected = PIECES.map((piece, index) => [piece, LOGPROBS[index], ...(likeliest ? [likeliest[index]] : [])]);
  assert.deepEqual(told, expected);
}

const TWO_EACH = PIECES.map((piece) => [piece, `${piece}!`]);

interface OfOpenAi {
  readonly token: string;
  readonly logprob: number;
  readonly top_logprobs?: readonly { readonly token?: string }[] | undefined;
}

const ofOpenAi = ({ token, logprob, top_logprobs: likeliest = [] }: OfOpenAi) =>
  [token, logprob, likeliest.map((likely) => likely.token)] as const;

suite("Log probabilities through the vendors' own SDKs", () => {
  test("are reported by OpenAI's chats, responses and completions, whole and streamed", async (t) => {
    const { client } = await withStubServer(t);
    const chat = { model: "gpt-4o-mini", messages, logprobs: true, top_logprobs: 2 };
    const { choices } = await client.chat.completions.create(chat);
    assertTold((choices[0]?.logprobs?.content ?? []).map(ofOpenAi), TWO_EACH);
    const chunks = await collect(await client.chat.completions.create({ ...chat, stream: true }));
    assertTold(chunks.flatMap((chunk) => chunk.choices[0]?.logprobs?.content ?? []).map(ofOpenAi), TWO_EACH);

    const asked = { model: "gpt-4o-mini", input: "hello", top_logprobs: 2 };
    const include = ["message.output_text.logprobs" as const];
    const { output } = await client.responses.create({ ...asked, include });
    const parts = output.flatMap((item) => (item.type === "message" ? item.content : []));
    const whole = parts.flatMap((part) => (part.type === "output_text" ? (part.logprobs ?? []) : []));
    assertTold(whole.map(ofOpenAi), TWO_EACH);
    const events = await collect(await client.responses.create({ ...asked, include, stream: true }));
    const deltas = events.flatMap((event) => (event.type === "response.output_text.delta" ? event.logprobs : []));
    assertTold(deltas.map(ofOpenAi), TWO_EACH);

    const prompt = { model: "gpt-3.5-turbo-instruct", prompt: "hello", logprobs: 2 };
    const [completion] = (await client.completions.create(prompt)).choices;
    const { tokens, token_logprobs, top_logprobs, text_offset } = completion?.logprobs ?? {};
    const likeliest = PIECES.map((piece, index) => ({
      [piece]: LOGPROBS[index],
      [`${piece}!`]: (LOGPROBS[index] ?? 0) - 0.125,
    }));
    assert.deepEqual([tokens, token_logprobs, top_logprobs, text_offset], [PIECES, LOGPROBS, likeliest, [5, 8, 14]]);
    const streamed = await collect(await client.completions.create({ ...prompt, stream: true }));
    assert.deepEqual(
      streamed.flatMap((chunk) => chunk.choices[0]?.logprobs?.text_offset ?? []),
      text_offset,
    );
  });

  test("are reported by Google, whole and streamed", async (t) => {
    const { upstream } = await withStubServer(t);
    const client = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: upstream.at("gemini") } });
    const config = { responseLogprobs: true, logprobs: 2 };
    const asked = { model: "gemini-2.5-flash", contents: "hello", config };
    const read = (answers: readonly Awaited<ReturnType<typeof client.models.generateContent>>[]): Told => {
      const results = answers.flatMap(({ candidates }) => candidates?.[0]?.logprobsResult ?? []);
      const likeliest = results.flatMap(({ topCandidates = [] }) =>
        topCandidates.map(({ candidates = [] }) => candidates),
      );
      return results
        .flatMap(({ chosenCandidates = [] }) => chosenCandidates)
        .map((chosen, index) => [chosen.token, chosen.logProbability, likeliest[index]?.map(({ token }) => token)]);
    };
    assertTold(read([await client.models.generateContent(asked)]), TWO_EACH);
    assertTold(read(await collect(await client.models.generateContentStream(asked))), TWO_EACH);
  });

  test("are reported by Cohere, whole and streamed", async (t) => {
    const { upstream } = await withStubServer(t);
    const client = new CohereClientV2({ token: "key", environment: upstream.at("cohere") });
    const asked = { model: "command-a-03-2025", messages, logprobs: true };
    const { logprobs = [] } = await client.chat(asked);
    assertTold(logprobs.map((piece) => [piece.text, piece.logprobs?.[0]]));
    const events = await collect(await client.chatStream(asked));
    const pieces = events.flatMap((event) => (event.type === "content-delta" ? (event.logprobs ?? []) : []));
    assertTold(pieces.map((piece) => [piece.text, piece.logprobs?.[0]]));
  });

  test("are reported by Ollama, whole and as lines", async (t) => {
    const { upstream } = await withStubServer(t);
    const client = new Ollama({ host: upstream.at("ollama") });
    const asked = { model: "llama3.2", messages, logprobs: true, top_logprobs: 2 };
    assertTold(((await client.chat(asked)).logprobs ?? []).map(ofOpenAi), TWO_EACH);
    const lines = await collect(await client.chat({ ...asked, stream: true }));
    assertTold(lines.flatMap((line) => line.logprobs ?? []).map(ofOpenAi), TWO_EACH);
  });

  test("are refused to requests for alternatives only", async (t) => {
    const { client } = await withStubServer(t);
    const chat = { model: "gpt-4o-mini", messages, top_logprobs: 2 };
    await assert.rejects(client.chat.completions.create(chat), { status: 400, param: "top_logprobs" });
  });

  test("are refused before a stream begins", async (t) => {
    const { upstream } = await withStubServer(t);
    const ollama = new Ollama({ host: upstream.at("ollama") });
    const asked = { model: "llama3.2", messages, logprobs: true, top_logprobs: -1, stream: true as const };
    await assert.rejects(ollama.chat(asked), { status_code: 400 });
    const google = new GoogleGenAI({ apiKey: "key", httpOptions: { baseUrl: upstream.at("gemini") } });
    const alone = { model: "gemini-2.5-flash", contents: "hello", config: { logprobs: 2 } };
    await assert.rejects(google.models.generateContentStream(alone), { status: 400 });
  });
});
