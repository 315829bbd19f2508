import { ROLE } from "@one-api/contract/accounts/roles";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { formatTime } from "../../lib/format.ts";
import { clearUser } from "../../lib/state/session.ts";
import { setScreenWidth } from "../../testing/screen-width.ts";
import { CREATED_AT, detail, logIn, logOf, open, resetServed, serve, served } from "./testing/serve-logs.tsx";

const heads = async () => (await screen.findAllByRole("columnheader")).map((head) => head.textContent);

beforeEach(() => {
  clearUser();
  resetServed();
});

test("[LOG-07] [LOG-08] [LOG-05] [LOG-06] the range is epoch 0 to one hour from now unless another one is chosen", async () => {
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

test("[LOG-22] [LOG-04] [LOG-11] others ask for their own entries, with the filters of the address but never those of administrators", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf({ channel: 0 })]);
  await open("/log?type=2&token_name=main&model_name=gpt-4o&start_timestamp=5&end_timestamp=9&username=tom&channel=3");
  await waitFor(() => expect(asked[0]?.pathname).toBe("/api/log/self/"));
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
  await screen.findByRole("button", { name: "Next page" });
  await waitFor(() => expect([served.counted.length, served.facetsAsked.length]).toEqual([1, 3]));
  await userEvent.click(screen.getByRole("button", { name: "Next page" }));
  await waitFor(() => expect(asked).toHaveLength(2));
  await screen.findByText("21–40 of 45");
  // Chart and facets describe all pages.
  expect([served.counted.length, served.facetsAsked.length]).toEqual([1, 3]);
  expect(asked[0]?.searchParams.has("up_to")).toBe(false);
  expect([asked[1]?.searchParams.get("p"), asked[1]?.searchParams.get("up_to")]).toEqual(["1", "900"]);
});

test("[LOG-02] [LOG-01] the total is asked for on a click alone, with the filters of the list", async () => {
  logIn(ROLE.admin);
  const asked = serve([logOf()]);
  await open("/log?model_name=gpt-4o");
  await screen.findByRole("cell", { name: "main" });
  expect(asked.map(({ pathname }) => pathname)).toEqual(["/api/log/"]);
  await userEvent.click(screen.getByRole("button", { name: "Click to view" }));
  expect(await screen.findByText("$3.00")).toBeTruthy();
  expect(screen.getByText("7,654")).toBeTruthy();
  expect(asked[1]?.pathname).toBe("/api/log/stat");
  expect(asked[1]?.searchParams.get("model_name")).toBe("gpt-4o");
});

test("whoever shows or hides the total with the keyboard stays at its button", async () => {
  logIn(ROLE.user);
  serve([logOf()]);
  await open();
  (await screen.findByRole("button", { name: "Click to view" })).focus();
  await userEvent.keyboard("{Enter}");
  await screen.findByText("$3.00");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Hide total" }));
  await userEvent.keyboard("{Enter}");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Click to view" }));
});

test("[LOG-22] others get the total of their own entries", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Click to view" }));
  expect(await screen.findByText("$3.00")).toBeTruthy();
  expect(asked.at(-1)?.pathname).toBe("/api/log/self/stat");
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
    "Result",
    "Model",
    "Prompt",
    "Completion",
    "Quota",
    "Duration",
  ]);
  for (const name of ["Type", "Result", "Token name", "Model name", "Channel ID", "Username"])
    expect(screen.getByRole("button", { name })).toBeTruthy();
});

test("[LOG-09] [LOG-10] [LOG-17] [LOG-18] others have neither", async () => {
  logIn(ROLE.user);
  serve([logOf()]);
  await open();
  const shown = await heads();
  expect(shown).not.toContain("Channel");
  expect(shown).not.toContain("User");
  expect(screen.queryByRole("button", { name: "Channel ID" })).toBeNull();
  expect(screen.queryByRole("button", { name: "Username" })).toBeNull();
});

test("[LOG-03] a filter is applied on Enter, stands in the address and as a chip, and the chip removes it", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  const { router } = await open();
  await userEvent.click(await screen.findByRole("button", { name: "Token name" }));
  await userEvent.type(await screen.findByRole("textbox", { name: "Token name" }), "bot");
  expect(asked).toHaveLength(1);
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(asked[1]?.searchParams.get("token_name")).toBe("bot");
  expect(router.state.location.search).toEqual({ token_name: "bot" });
  await userEvent.click(screen.getByRole("button", { name: "Remove filter Token name" }));
  await waitFor(() => expect(router.state.location.search).toEqual({}));
});

test("others are led to their own tokens alone", async () => {
  logIn(ROLE.user);
  serve([logOf({ id: 2, channel: 0 }), logOf({ id: 1, user_id: 8, token_name: "theirs" })]);
  await open();
  expect((await screen.findByRole("link", { name: "main" })).getAttribute("href")).toBe("/token/edit/4");
  expect(screen.queryByRole("link", { name: "theirs" })).toBeNull();
});

test("an empty log teaches how to fill it, one that the filters empty clears them", async () => {
  logIn(ROLE.user);
  serve([]);
  const { router } = await open("/log?token_name=bot");
  await userEvent.click(await screen.findByRole("button", { name: "Clear filters" }));
  expect(await screen.findByText("No requests yet")).toBeTruthy();
  expect(screen.getByText(/curl .*\/v1\/chat\/completions[^]*Bearer \$ONE_API_KEY/)).toBeTruthy();
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
    expect(sheet.getByRole("region", { name })).toBeTruthy();
  expect(sheet.getByLabelText("Start time")).toBeTruthy();
  expect(sheet.getByLabelText("End time")).toBeTruthy();
});

test.each([
  [{ result: "ok" as const }, "OK"],
  [{ result: "provider-limited" as const, status_code: 429 }, "Rate limited"],
  [{ result: "provider-failed" as const, status_code: 503 }, "Provider failed 503"],
  [{ result: "provider-failed" as const, status_code: 200 }, "Provider failed"],
  [{ result: "connection" as const, status_code: 0 }, "Cannot connect"],
  [{ result: "cut" as const }, "Interrupted"],
  [{ result: "refused" as const, detail: { ...detail, refusal: "insufficient_quota" } }, "Rejected: no quota"],
  [{ result: "refused" as const, detail: { ...detail, refusal: "of_a_newer_server" } }, "Rejected"],
  [{ result: "" as const, detail: { ...detail, end: "broken-stream" } }, "Interrupted"],
  [{ result: "" as const, detail: { ...detail, end: "overloaded" } }, "Provider failed"],
])("the log tells outcome: %o", async (changes, text) => {
  logIn(ROLE.user);
  serve([logOf(changes)]);
  await open();
  expect(await within(await screen.findByRole("table")).findByText(text)).toBeTruthy();
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

test("a channel is found by its name and filtered by its id; one that is not found stays as it was typed", async () => {
  logIn(ROLE.admin);
  const asked = serve([logOf()]);
  served.facets.channel = [{ value: "7", label: "azure west", entries: 3 }];
  await open();
  await userEvent.click(await screen.findByRole("button", { name: "Channel ID" }));
  const field = await screen.findByRole("textbox", { name: "Channel ID" });
  await screen.findByRole("button", { name: "azure west 3" });
  await userEvent.type(field, "nowhere{Enter}");
  expect(await screen.findByText(/^No channel matches “nowhere”/)).toBeTruthy();
  expect(field).toHaveProperty("value", "nowhere");
  expect(field.getAttribute("aria-invalid")).toBe("true");
  await userEvent.clear(field);
  await userEvent.type(field, "azu{Enter}");
  await waitFor(() => expect(asked.at(-1)?.searchParams.get("channel")).toBe("7"));
});

test("a column hides while a filter makes it the same in every row, and a line says so", async () => {
  logIn(ROLE.admin);
  serve([logOf()]);
  const { router } = await open("/log?type=2&model_name=gpt-4o&result=errors");
  expect(await screen.findByText("Hidden, same in every row: Model, Type")).toBeTruthy();
  expect(await heads()).not.toContain("Model");
  await router.navigate({ to: "/log", search: { model_name: ["gpt-4o"], result: ["ok"] } });
  expect(await screen.findByText("Hidden, same in every row: Result, Model")).toBeTruthy();
  await router.navigate({ to: "/log" });
  await waitFor(async () => expect(await heads()).toContain("Model"));
  expect(screen.queryByText(/^Hidden/)).toBeNull();
});

test("errors are grouped by message, with number, channels and the newest entry of each", async () => {
  logIn(ROLE.admin);
  serve([logOf({ id: 5 })]);
  served.errors = {
    read: 2_000,
    total: 2_345,
    groups: [
      {
        kind: "rate-limited",
        status_code: 429,
        message: "Limit 60000, used 1.",
        entries: 1_700,
        first_at: CREATED_AT,
        last_at: CREATED_AT + 60,
        newest_id: 77,
        channels: [{ id: 9, name: "azure west", entries: 1_700 }],
      },
      {
        kind: "insufficient_quota",
        status_code: 403,
        message: "",
        entries: 300,
        first_at: CREATED_AT,
        last_at: CREATED_AT,
        newest_id: 70,
        channels: [],
      },
    ],
  };
  served.stories = [{ ...logOf({ id: 77, request_id: "req-0077" }), channel_names: [], has_bodies: false }];
  const { router } = await open();
  await userEvent.click(await screen.findByRole("button", { name: "Errors by message" }));
  const groups = within(await screen.findByRole("region", { name: "Errors by message" }));
  expect(groups.getByText(/newest 2,000 of 2,345 errors/)).toBeTruthy();
  expect(groups.getByText("Rate limited · HTTP 429")).toBeTruthy();
  expect(groups.getByText("Rejected: no quota · HTTP 403")).toBeTruthy();
  expect(groups.getByRole("link", { name: "azure west" }).getAttribute("href")).toBe("/channel/9");
  expect(screen.queryByRole("table")).toBeNull();
  await userEvent.click(groups.getByRole("button", { name: "Limit 60000, used 1." }));
  expect(await screen.findByText("req-0077")).toBeTruthy();
  expect(router.state.location.search).toMatchObject({ view: "errors", open: "77" });
});

test("where a name finds nothing, the list says that names must be whole", async () => {
  logIn(ROLE.user);
  serve([]);
  const { router } = await open("/log?model_name=gpt");
  expect(await screen.findByText(/must match exactly/)).toBeTruthy();
  await router.navigate({ to: "/log", search: { result: ["timeout"] } });
  await screen.findByText("No results");
  await waitFor(() => expect(screen.queryByText(/must match exactly/)).toBeNull());
});

test("a top-up is of no channel, so its list has no column for one", async () => {
  logIn(ROLE.admin);
  serve([logOf({ type: 1, result: "", model_name: "", content: "Redeemed" })]);
  await open("/log?type=1");
  expect(await heads()).toEqual(["Time", "User", "Quota", "Details"]);
});

test("administrators see the channel's name", async () => {
  logIn(ROLE.admin);
  serve([logOf({ channel_name: "azure west" })]);
  await open();
  expect(await screen.findByText("azure west")).toBeTruthy();
});
