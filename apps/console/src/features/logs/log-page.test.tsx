import type { Log, LogStory } from "@one-api/contract/log";
import { ROLE } from "@one-api/contract/roles";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { formatTime } from "../../lib/format.ts";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { setScreenWidth } from "../../testing/screen-width.ts";
import LogPage from "./log-page.tsx";

const CREATED_AT = 1_763_700_000;

const detail = {
  end: "complete",
  first_byte_ms: 460,
  upstream_model: "gpt-4o-2024",
  charge: {
    model_ratio: 1.25,
    completion_ratio: 4,
    group_ratio: 1,
    cached_tokens: 30,
    rule: "usage" as const,
    formula: "ceil((70 input + 30 cached input × 0.5 + 20 output × 4) × 1.25 × 1) = 207",
  },
  attempts: [
    { channel: 7, status: 429, failure: "rate-limited: Try again in 4 s", duration_ms: 210 },
    { channel: 9, status: 200, failure: "", duration_ms: 250 },
  ],
};

function logOf(changes: Partial<Log> = {}): Log {
  return {
    id: 1,
    user_id: 1,
    created_at: CREATED_AT,
    type: 2,
    content: "Model ratio 1.25",
    username: "mia",
    token_id: 4,
    token_name: "main",
    model_name: "gpt-4o",
    quota: 207,
    prompt_tokens: 100,
    completion_tokens: 20,
    channel: 9,
    request_id: "req-0001",
    elapsed_time: 2_020,
    is_stream: true,
    result: "ok",
    status_code: 200,
    channel_name: "",
    ...changes,
  };
}

let suggestions: { value: string; label: string }[];
let suggested: URL[];
/** What single entries are answered with. */
let stories: LogStory[];

/** Stands in for the server, which has the given entries; returns the addresses it was asked for. */
function serve(logs: readonly object[]): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal("fetch", async (address: string) => {
    const url = new URL(address, "http://localhost");
    if (url.pathname.endsWith("/suggestion")) {
      suggested.push(url);
      return Response.json({ success: true, message: "", data: suggestions });
    }
    const id = /\/(\d+)$/.exec(url.pathname)?.[1];
    if (id !== undefined) {
      const log = stories.find((story) => String(story.id) === id);
      return Response.json({ success: log !== undefined, message: "", data: log ?? null });
    }
    asked.push(url);
    const page = Number(url.searchParams.get("p"));
    const size = Number(url.searchParams.get("size"));
    const data = url.pathname.endsWith("/stat")
      ? { quota: 1_500_000, token: 7_654 }
      : logs.slice(page * size, (page + 1) * size);
    return new Response(JSON.stringify({ success: true, message: "", data }), {
      headers: { "content-type": "application/json", "x-total-count": String(logs.length) },
    });
  });
  return asked;
}

const logIn = (role: number) => storeUser({ id: 1, username: "mia", display_name: "Mia", role, status: 1 });
const open = (address = "/log") => renderPage(<LogPage />, { address, texts: ["logs"] });
const heads = async () => (await screen.findAllByRole("columnheader")).map((head) => head.textContent);

beforeEach(() => {
  clearUser();
  suggestions = [];
  suggested = [];
  stories = [];
});

test("[LOG-07] [LOG-08] the range is epoch 0 to one hour from now unless another one is chosen", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  const before = Math.floor(Date.now() / 1_000);
  await open();
  await screen.findByRole("cell", { name: "gpt-4o" });
  const query = asked[0]?.searchParams;
  expect(query?.get("start_timestamp")).toBe("0");
  const aheadSeconds = Number(query?.get("end_timestamp")) - before;
  expect(aheadSeconds).toBeGreaterThanOrEqual(3_600);
  expect(aheadSeconds).toBeLessThan(3_900);
  await userEvent.click(screen.getByRole("button", { name: "Time range: All time" }));
  expect((await screen.findByLabelText("Start time")).textContent).toBe(formatTime(0));
});

test("[LOG-22] others ask for their own entries, with the filters of the address but never those of administrators", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf({ channel: 0 })]);
  await open("/log?type=2&token_name=main&model_name=gpt-4o&start_timestamp=5&end_timestamp=9&username=tom&channel=3");
  await screen.findByRole("cell", { name: "main" });
  expect(asked[0]?.pathname).toBe("/api/log/self/");
  expect(Object.fromEntries(asked[0]?.searchParams ?? [])).toEqual({
    p: "0",
    size: "20",
    type: "2",
    token_name: "main",
    model_name: "gpt-4o",
    start_timestamp: "5",
    end_timestamp: "9",
  });
});

test("[LOG-21] administrators ask for everybody's entries, by user and channel too", async () => {
  logIn(ROLE.admin);
  const asked = serve([logOf()]);
  await open("/log?username=tom&channel=3");
  await screen.findByRole("cell", { name: "gpt-4o" });
  expect(asked[0]?.pathname).toBe("/api/log/");
  expect(asked[0]?.searchParams.get("username")).toBe("tom");
  expect(asked[0]?.searchParams.get("channel")).toBe("3");
});

test("[LOG-20] further pages go on from what the first one showed, whatever came since", async () => {
  logIn(ROLE.user);
  const asked = serve(Array.from({ length: 45 }, (_, index) => logOf({ id: 900 - index })));
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Next page" }));
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[0]?.searchParams.has("up_to")).toBe(false);
  expect([asked[1]?.searchParams.get("p"), asked[1]?.searchParams.get("up_to")]).toEqual(["1", "900"]);
});

test("[LOG-02] the total is asked for on a click alone, with the filters of the list", async () => {
  logIn(ROLE.admin);
  const asked = serve([logOf()]);
  await open("/log?model_name=gpt-4o");
  await screen.findByRole("cell", { name: "gpt-4o" });
  expect(asked.map(({ pathname }) => pathname)).toEqual(["/api/log/"]);
  await userEvent.click(screen.getByRole("button", { name: "Click to view" }));
  expect(await screen.findByText("$3.00")).toBeTruthy();
  expect(screen.getByText("7,654")).toBeTruthy();
  expect(asked[1]?.pathname).toBe("/api/log/stat");
  expect(asked[1]?.searchParams.get("model_name")).toBe("gpt-4o");
});

test("the details say the ratios in short: endless ones with three digits", async () => {
  logIn(ROLE.user);
  serve([logOf({ detail: { ...detail, charge: { ...detail.charge, completion_ratio: 4.074074074074 } } })]);
  await open();
  expect(await screen.findByText("1.25 × 1 · out 4.07")).toBeTruthy();
});

test("[LOG-22] others get the total of their own entries", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Click to view" }));
  expect(await screen.findByText("$3.00")).toBeTruthy();
  expect(asked.at(-1)?.pathname).toBe("/api/log/self/stat");
});

test("[LOG-13] [LOG-14] [LOG-15] [LOG-16] every type has its name, an unknown one its number", async () => {
  logIn(ROLE.user);
  serve([1, 2, 3, 4, 5, 42].map((type) => logOf({ id: type, type })));
  await open();
  const table = within(await screen.findByRole("table"));
  for (const name of ["Top-up", "Consumption", "Management", "System", "Test", "Unknown type 42"]) {
    expect(await table.findByText(name)).toBeTruthy();
  }
});

test("[LOG-09] [LOG-10] [LOG-17] [LOG-18] channel and user are columns and filters of administrators", async () => {
  logIn(ROLE.admin);
  serve([logOf()]);
  await open();
  expect(await heads()).toEqual([
    "Time",
    "Channel",
    "User",
    "Token",
    "Type",
    "Result",
    "Model",
    "Prompt",
    "Completion",
    "Quota",
    "Time taken",
    "Details",
  ]);
  expect(screen.getByRole("combobox", { name: "Channel ID" })).toBeTruthy();
  expect(screen.getByRole("combobox", { name: "Username" })).toBeTruthy();
});

test("[LOG-09] [LOG-10] [LOG-17] [LOG-18] others have neither", async () => {
  logIn(ROLE.user);
  serve([logOf()]);
  await open();
  const shown = await heads();
  expect(shown).not.toContain("Channel");
  expect(shown).not.toContain("User");
  expect(screen.queryByRole("combobox", { name: "Channel ID" })).toBeNull();
  expect(screen.queryByRole("combobox", { name: "Username" })).toBeNull();
});

test("[LOG-03] a filter is applied on Enter, stands in the address and as a chip, and the chip removes it", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  const { router } = await open();
  await userEvent.type(await screen.findByRole("combobox", { name: "Token name" }), "bot");
  expect(asked).toHaveLength(1);
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]?.searchParams.get("token_name")).toBe("bot");
  expect(router.state.location.search).toEqual({ token_name: "bot" });
  await userEvent.click(screen.getByRole("button", { name: "Remove filter Token name" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test("an entry opens with the keyboard and shows its detail; Back closes it", async () => {
  logIn(ROLE.admin);
  serve([logOf({ id: 31, detail })]);
  const { router } = await open();
  const time = await screen.findByRole("button", { name: formatTime(CREATED_AT) });
  time.focus();
  await userEvent.keyboard("{Enter}");
  const sheet = within(await screen.findByRole("dialog"));
  for (const text of [
    "req-0001",
    "gpt-4o-2024",
    "OK",
    "0.46 s",
    "2.02 s",
    "Channel #7",
    "HTTP 429",
    "210 ms",
    "Channel #9",
    "HTTP 200",
  ]) {
    expect(sheet.getAllByText(text).length).toBeGreaterThan(0);
  }
  expect(sheet.getByText(detail.charge.formula)).toBeTruthy();
  expect(sheet.getByText("Rate limited")).toBeTruthy();
  expect(sheet.getByText(/Try again in 4 s/)).toBeTruthy();
  expect(sheet.getByRole("button", { name: "Copy request ID" })).toBeTruthy();
  router.history.back();
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

test("an entry that is on no page opens by its id, says why its channel was chosen and which were not, and leads to them", async () => {
  logIn(ROLE.admin);
  serve([logOf({ id: 2 })]);
  const passed = [
    { channel: 3, reason: "rate-limited" as const, amount: 40 },
    { channel: 5, reason: "other-group" as const, amount: 0 },
  ];
  const choice = { by: "share" as const, share: 25, passed, more: 4 };
  const attempts = [{ channel: 9, status: 200, failure: "", duration_ms: 250, choice }];
  const names = [
    { id: 3, name: "Sleepy" },
    { id: 9, name: "Chosen" },
  ];
  const log = logOf({ id: 77, request_id: "req-0077", detail: { ...detail, group: "vip", attempts } });
  stories = [{ ...log, channel_names: names }];
  await open("/log?open=77");
  const sheet = within(await screen.findByRole("dialog"));
  expect(await sheet.findByText("req-0077")).toBeTruthy();
  expect(sheet.getByText("Chosen at random by weight. Its share then: 25 %.")).toBeTruthy();
  const texts = sheet.getAllByRole("listitem", { hidden: true }).map((item) => item.textContent);
  expect(texts.slice(1)).toEqual([
    "Sleepy (#3): asleep: the provider's limit, 40 s left",
    "Channel #5: serves other groups",
    "and 4 more",
  ]);
  const [link] = sheet.getAllByRole("link", { name: "Chosen (#9)" });
  expect(link?.getAttribute("href")).toBe("/channel/edit/9");
  expect(sheet.getByRole("link", { name: "mia" }).getAttribute("href")).toBe("/user/edit/1");
  expect(sheet.getByRole("link", { name: "main" }).getAttribute("href")).toBe("/token/edit/4");
  expect(sheet.getByText("vip")).toBeTruthy();
});

test("others are led to their own tokens alone", async () => {
  logIn(ROLE.user);
  serve([logOf({ id: 2, channel: 0 }), logOf({ id: 1, user_id: 8, token_name: "theirs" })]);
  await open();
  expect((await screen.findByRole("link", { name: "main" })).getAttribute("href")).toBe("/token/edit/4");
  expect(screen.queryByRole("link", { name: "theirs" })).toBeNull();
});

test("j and k go through the entries while one is open", async () => {
  logIn(ROLE.user);
  serve([logOf({ id: 2, request_id: "req-0002" }), logOf({ id: 1 })]);
  const { router } = await open("/log?open=2");
  expect(await screen.findByText("req-0002")).toBeTruthy();
  await userEvent.keyboard("j");
  expect(await screen.findByText("req-0001")).toBeTruthy();
  await userEvent.keyboard("k");
  expect(await screen.findByText("req-0002")).toBeTruthy();
  expect(router.state.location.search).toEqual({ open: "2" });
});

for (const [what, odd] of [
  ["no detail", {}],
  ["null", { detail: null }],
  ["a detail of another shape", { detail: "of another version" }],
] as const) {
  test(`an entry with ${what} is shown with what there is`, async () => {
    logIn(ROLE.user);
    vi.spyOn(console, "error").mockReturnValue();
    serve([{ ...logOf(), ...odd }]);
    await open("/log?open=1");
    const sheet = within(await screen.findByRole("dialog"));
    expect(await sheet.findByText("req-0001")).toBeTruthy();
    expect(sheet.getByText("No more was recorded for this entry.")).toBeTruthy();
    expect(sheet.queryByText("Attempts")).toBeNull();
  });
}

test("an empty log teaches how to fill it, one that the filters empty clears them", async () => {
  logIn(ROLE.user);
  serve([]);
  const { router } = await open("/log?token_name=bot");
  await userEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(await screen.findByText("Nothing logged yet")).toBeTruthy();
  expect(screen.getByText(/curl .*\/v1\/chat\/completions/)).toBeTruthy();
  expect(router.state.location.search).toEqual({});
});

test("[LOG-19] refresh loads the list again, and the total only when it is shown", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  await open();
  await screen.findByRole("cell", { name: "gpt-4o" });
  await userEvent.click(screen.getByRole("button", { name: "Refresh" }));
  await waitFor(() => expect(asked.map(({ pathname }) => pathname)).toEqual(["/api/log/self/", "/api/log/self/"]));
});

test("on a narrow screen all filters stand in a sheet", async () => {
  setScreenWidth(360);
  logIn(ROLE.admin);
  serve([logOf()]);
  await open("/log?channel=9");
  await userEvent.click(await screen.findByRole("button", { name: "Filters (1)" }));
  const sheet = within(await screen.findByRole("dialog"));
  for (const name of ["Token name", "Model name", "Channel ID", "Username"])
    expect(sheet.getByRole("combobox", { name })).toBeTruthy();
  expect(sheet.getByLabelText("Start time")).toBeTruthy();
  expect(sheet.getByLabelText("End time")).toBeTruthy();
});

test.each([
  [{ result: "ok" as const }, "OK"],
  [{ result: "provider-limited" as const, status_code: 429 }, "Provider 429"],
  [{ result: "provider-failed" as const, status_code: 200 }, "Provider failed"],
  [{ result: "connection" as const, status_code: 0 }, "No connection"],
  [{ result: "cut" as const }, "Cut off"],
  [{ result: "refused" as const, detail: { ...detail, refusal: "insufficient_quota" } }, "Refused: no quota"],
  [{ result: "refused" as const, detail: { ...detail, refusal: "of_a_newer_server" } }, "Refused"],
  [{ result: "" as const, detail: { ...detail, end: "broken-stream" } }, "Cut off"],
  [{ result: "" as const, detail: { ...detail, end: "overloaded" } }, "Provider failed"],
])("the log tells outcome: %o", async (changes, text) => {
  logIn(ROLE.user);
  serve([logOf(changes)]);
  await open();
  expect(await within(await screen.findByRole("table")).findByText(text)).toBeTruthy();
});

test("entries without a request have no result", async () => {
  logIn(ROLE.user);
  serve([logOf({ type: 1, result: "", model_name: "", content: "Redeemed" })]);
  await open();
  const row = within(await screen.findByRole("table"));
  expect(await row.findByText("Redeemed")).toBeTruthy();
  expect(row.queryByText("OK")).toBeNull();
});

test("the list is filtered by result, in the list's call and in the total's", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  await open("/log?result=provider-limited");
  await userEvent.click(await screen.findByRole("button", { name: "Click to view" }));
  await screen.findByText("$3.00");
  expect(asked.map(({ searchParams }) => searchParams.get("result"))).toEqual(["provider-limited", "provider-limited"]);
  expect(screen.getByRole("button", { name: "Remove filter Result" })).toBeTruthy();
});

test("a range that moves with the clock keeps its name and is counted from now", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  const { router } = await open();
  await userEvent.click(await screen.findByRole("button", { name: "Time range: All time" }));
  await userEvent.click(await screen.findByRole("button", { name: "Last 24 hours" }));
  expect(await screen.findByRole("button", { name: "Time range: Last 24 hours" })).toBeTruthy();
  expect(router.state.location.search).toEqual({ range: "day" });
  const start = Number(asked.at(-1)?.searchParams.get("start_timestamp"));
  expect(Math.abs(Date.now() / 1_000 - 86_400 - start)).toBeLessThan(60);
});

test("filters suggest what the server knows; a channel is found by its name and filtered by its id", async () => {
  logIn(ROLE.admin);
  const asked = serve([logOf()]);
  suggestions = [{ value: "7", label: "azure west (#7)" }];
  await open();
  await userEvent.type(await screen.findByRole("combobox", { name: "Channel ID" }), "azu");
  await waitFor(() => expect(suggested.at(-1)?.searchParams.get("keyword")).toBe("azu"));
  await userEvent.click(await screen.findByRole("option", { name: "azure west (#7)" }));
  await waitFor(() => expect(asked.at(-1)?.searchParams.get("channel")).toBe("7"));
  expect(suggested.every(({ searchParams }) => searchParams.get("field") === "channel")).toBe(true);
});

test("administrators see the channel's name", async () => {
  logIn(ROLE.admin);
  serve([logOf({ channel_name: "azure west" })]);
  await open();
  expect(await screen.findByText("azure west")).toBeTruthy();
});

test("on a narrow screen an entry is three lines: time and result, model and token, tokens and price", async () => {
  setScreenWidth(360);
  logIn(ROLE.user);
  serve([logOf({ quota: 500_000 })]);
  await open();
  const [card] = await screen.findAllByRole("listitem");
  expect(card?.textContent).toContain("OKgpt-4omain100 → 20 tokens2.02 s$1.00");
});
