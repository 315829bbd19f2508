import { notifications } from "@mantine/notifications";
import { act, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { setScreenWidth } from "../../testing/screen-width.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import { createdTokens } from "./token-mutations.ts";
import { fullKey } from "./token-sharing.ts";
import { sampleToken } from "./testing/sample-token.ts";
import TokenListPage from "./token-list-page.tsx";

const MORE = "More actions for Main";
const LIST = "GET /api/token/";
const KEY = fullKey(sampleToken());
const render = (address = "/token") =>
  renderPage(<TokenListPage />, { address, texts: ["tokens", "budgets", "limits", "views"] });
const row = async (name = "Main") => {
  const found = (await screen.findByRole("link", { name })).closest("tr");
  if (found === null) throw new Error("the token has no row");
  return within(found);
};
const changing = (sent: ReturnType<typeof stubCalls>) => sent.filter((call) => call.method !== "GET");
const choose = async (button: string, item: string) => {
  await userEvent.click((await row()).getByRole("button", { name: button }));
  await userEvent.click(await screen.findByRole("menuitem", { name: item }));
};
/** Takes what is copied; user-event puts a clipboard of its own into the page. */
const watchCopies = (isRefused = false) => {
  const copied: string[] = [];
  vi.spyOn(navigator.clipboard, "writeText").mockImplementation((text) => {
    copied.push(text);
    return isRefused ? Promise.reject(new Error("refused")) : Promise.resolve();
  });
  return copied;
};
// Another file may have created some: what is shown once waits for this page.
afterEach(() => createdTokens.set(undefined));
afterEach(() => {
  vi.restoreAllMocks();
  // Toasts outlive the page that showed them, and only a few are shown at once.
  notifications.clean();
});

test("[TLIST-06] a row shows name, masked key, state, quota and times", async () => {
  stubCalls({ [LIST]: [sampleToken({ unlimited_quota: true })] });
  await render();
  const main = await row();
  expect(main.getByText("sk-…wxyz")).toBeTruthy();
  expect(main.getByText("Enabled")).toBeTruthy();
  expect(main.getByText("$2.50")).toBeTruthy();
  expect(main.getByText("Unlimited")).toBeTruthy();
  expect(main.getAllByText("Never")).toHaveLength(2);
  expect(screen.queryByText(KEY)).toBeNull();
});

test("a bar shows how much of its quota a token has spent", async () => {
  stubCalls({ [LIST]: [sampleToken({ used_quota: 1_250_000, remain_quota: 3_750_000 })] });
  await render();
  const bar = (await row()).getByRole("progressbar", { name: "$2.50 of $10.00 spent" });
  expect(bar).toHaveProperty("value", 0.25);
});

test("[TLIST-07] [TLIST-08] the menu of a row copies the shop format, and the row has one copy icon", async () => {
  userEvent.setup();
  stubCalls({ [LIST]: [sampleToken()] });
  const copied = watchCopies();
  await render();
  expect((await row()).getAllByRole("button", { name: /copy/i })).toHaveLength(1);
  await choose(MORE, "Copy “name key”");
  expect(await screen.findByText("Name and key copied")).toBeTruthy();
  expect(copied).toEqual([`Main----${KEY}`]);
});

test("a row shows the nearest limit with its use", async () => {
  const limits = [
    { field: "rpm_limit", model: "", limit: 600, used: 3, resets_in: 0 },
    { field: "concurrent_limit", model: "", limit: 4, used: 3, resets_in: 0 },
  ];
  const use = { counts_all_servers: true, servers: 1, account: [], tokens: [{ id: sampleToken().id, limits }] };
  stubCalls({ [LIST]: [sampleToken()], "GET /api/limit/": use });
  await render();
  expect(await (await row()).findByText("3 / 4")).toBeTruthy();
  expect((await row()).getByText("concurrent")).toBeTruthy();
});

test("beside the masked key an icon copies the plain key", async () => {
  userEvent.setup();
  stubCalls({ [LIST]: [sampleToken()] });
  const copied = watchCopies();
  await render();
  await userEvent.click((await row()).getByRole("button", { name: "Copy the key of Main" }));
  expect(await screen.findByText("Key copied")).toBeTruthy();
  expect(copied).toEqual([KEY]);
});

test("after creating, a dialog shows the key once with a call that works as pasted", async () => {
  stubCalls({ [LIST]: [sampleToken()], "GET /api/user/available_models": ["o3"] });
  createdTokens.set({ tokens: [sampleToken({ name: "Fresh" })], models: ["my'model"] });
  await render();
  const dialog = within(await screen.findByRole("dialog", { name: "Token Fresh is ready" }));
  expect(dialog.getByText(KEY)).toBeTruthy();
  const call = dialog.getByText(/^curl /).textContent ?? "";
  expect(call).toContain(`Authorization: Bearer ${KEY}`);
  expect(call).toContain(`"model": "my'\\''model"`);
  await userEvent.click(dialog.getByRole("button", { name: "Done" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(createdTokens.get()).toBeUndefined();
  const rows = () => document.querySelector("[data-rows]");
  await waitFor(() => expect(document.activeElement, "what opened it has gone with the form").toBe(rows()));
});

test("the dialog of a new token waits for its first request and says how it ended", async () => {
  createdTokens.set({ tokens: [sampleToken({ id: 9, name: "Fresh" })], models: [] });
  const log = {
    id: 5,
    type: 2,
    token_id: 9,
    model_name: "gpt-4o",
    prompt_tokens: 12,
    completion_tokens: 3,
    result: "ok",
  };
  const answers: Record<string, unknown> = { [LIST]: [], "GET /api/log/self/tail": { entries: [], newest: 4 } };
  stubCalls(answers);
  vi.useFakeTimers({ toFake: ["setTimeout", "setInterval", "clearTimeout", "clearInterval"], shouldAdvanceTime: true });
  onTestFinished(() => void vi.useRealTimers());
  await render();
  expect(await screen.findByText("Waiting for the first request with this key…")).toBeTruthy();
  answers["GET /api/log/self/tail"] = { entries: [{ ...log, id: 6, token_id: 1 }, log], newest: 6 };
  // The next look is due two seconds after the answer to the one before. The clock also passes by itself, so that no
  // deadline of a chunk that still loads is skipped.
  await act(() => vi.advanceTimersByTimeAsync(2_000));
  expect(await screen.findByText("First request received")).toBeTruthy();
  expect(screen.getByText("12 → 3 tokens")).toBeTruthy();
  expect(screen.getByRole("link", { name: "View details" }).getAttribute("href")).toBe("/log?open=5");
});

test("after creating a batch, the dialog lists names and keys", async () => {
  stubCalls({ [LIST]: [], "GET /api/user/available_models": ["o3", "gpt-4o-mini"] });
  const tokens = [sampleToken({ name: "b-1", key: "aaa" }), sampleToken({ id: 8, name: "b-2", key: "bbb" })];
  createdTokens.set({ tokens, models: [] });
  await render();
  const dialog = within(await screen.findByRole("dialog", { name: "2 tokens are ready" }));
  expect(dialog.getByText(/----/).textContent).toBe("b-1----sk-aaa\nb-2----sk-bbb");
  expect((await dialog.findByText(/^curl /)).textContent).toContain('"model": "gpt-4o-mini"');
});

test("[TLIST-10..15] [TLIST-24] the formats beside it are those of the clients, with the set server address", async () => {
  localStorage.setItem("server_address", "https://gateway.example");
  stubCalls({ [LIST]: [sampleToken()] });
  const { restoreStatus } = await import("../../lib/state/stored-status.ts");
  restoreStatus();
  userEvent.setup();
  const copied = watchCopies();
  await render();
  await choose(MORE, "Plain key");
  for (const client of ["ChatGPT Next Web", "BotGem", "OpenCat", "LobeChat"]) await choose(MORE, `Link for ${client}`);
  const server = encodeURIComponent("https://gateway.example");
  expect(copied[0]).toBe(KEY);
  expect(copied[1]).toContain(encodeURIComponent(JSON.stringify({ key: KEY, url: "https://gateway.example" })));
  expect(copied[2]).toBe(`ama://set-api-key?server=${server}&key=${KEY}`);
  expect(copied[3]).toBe(`opencat://team/join?domain=${server}&token=${KEY}`);
  expect(copied[4]).toContain(encodeURIComponent('"baseURL":"https://gateway.example/v1"'));
  localStorage.clear();
  restoreStatus();
});

test("[TLIST-09] the selection is copied one line each", async () => {
  userEvent.setup();
  stubCalls({
    [LIST]: [sampleToken(), sampleToken({ id: 8, name: "Other", key: "def" }), sampleToken({ id: 9, name: "Third" })],
  });
  const copied = watchCopies();
  await render();
  await row();
  expect(screen.queryByRole("button", { name: /selected/ })).toBeNull();
  await userEvent.click(screen.getByRole("checkbox", { name: "Select Main" }));
  await userEvent.click(screen.getByRole("checkbox", { name: "Select Other" }));
  await userEvent.click(screen.getByRole("button", { name: "Copy 2 selected" }));
  expect(await screen.findByText("2 names and keys copied")).toBeTruthy();
  expect(copied).toEqual([`Main----${KEY}\nOther----sk-def`]);
});

test("what the browser refuses to copy is shown to be copied by hand", async () => {
  userEvent.setup();
  stubCalls({ [LIST]: [sampleToken()] });
  watchCopies(true);
  document.execCommand = () => false;
  await render();
  await row();
  await choose(MORE, "Copy “name key”");
  const dialog = within(await screen.findByRole("dialog", { name: "Copy manually" }));
  expect(dialog.getByRole("textbox")).toHaveProperty("value", `Main----${KEY}`);
});

test("[TLIST-19..23] the chat menu opens each client in a new tab that knows nothing of this one", async () => {
  stubCalls({ [LIST]: [sampleToken()] });
  const open = vi.spyOn(window, "open").mockReturnValue(null);
  await render();
  for (const item of ["Next Web", "BotGem", "OpenCat", "LobeChat"]) await choose(MORE, item);
  const opened = open.mock.calls.map(([address]) => String(address).split(/[?#]/)[0]);
  expect(opened).toEqual([
    "https://app.nextchat.dev/",
    "ama://set-api-key",
    "opencat://team/join",
    "https://lobehub.com/",
  ]);
  for (const [, target, features] of open.mock.calls)
    expect([target, features]).toEqual(["_blank", "noopener,noreferrer"]);
});

test("[TLIST-16..18] the alert menu sends a mail, and then waits before the next", async () => {
  const sent = stubCalls({ [LIST]: [sampleToken(), sampleToken({ id: 8, name: "Other" })] });
  await render();
  await choose(MORE, "Balance alert");
  expect(await screen.findByText("Alert sent")).toBeTruthy();
  expect(changing(sent)).toMatchObject([{ method: "POST", address: "/api/token/alert?id=7&alertType=balance" }]);
  await userEvent.click((await row()).getByRole("button", { name: MORE }));
  expect(await screen.findByText(/^Send alert \(in \d+ s\)/)).toBeTruthy();
  expect(screen.getByRole("menuitem", { name: "Balance alert" })).toHaveProperty("disabled", true);
  await userEvent.keyboard("{Escape}");
  await userEvent.click((await row("Other")).getByRole("button", { name: "More actions for Other" }));
  expect(await screen.findByText("Send alert")).toBeTruthy();
  expect(await screen.findByRole("menuitem", { name: "Balance alert" })).toHaveProperty("disabled", false);
});

test("a menu that is opened with the keyboard is at its first entry", async () => {
  stubCalls({ [LIST]: [sampleToken()] });
  await render();
  const button = (await row()).getByRole("button", { name: MORE });
  button.focus();
  await userEvent.keyboard("{Enter}");
  const [first] = await screen.findAllByRole("menuitem");
  await waitFor(() => expect(document.activeElement).toBe(first));
});

test("[TLIST-18] a refused expiry alert says why, and can be sent again", async () => {
  const sent = stubCalls({
    [LIST]: [sampleToken()],
    "POST /api/token/alert?id=7&alertType=expired": new Error("The token has no e-mail address."),
  });
  await render();
  await choose(MORE, "Expiry alert");
  expect(await screen.findByText(/The token has no e-mail address/)).toBeTruthy();
  expect(changing(sent)).toHaveLength(1);
  await userEvent.click((await row()).getByRole("button", { name: MORE }));
  expect(await screen.findByRole("menuitem", { name: "Expiry alert" })).toHaveProperty("disabled", false);
});

test("[TLIST-30] [TLIST-31] a token is deleted after a question, and its row vanishes", async () => {
  const answers: Record<string, unknown> = { [LIST]: [sampleToken(), sampleToken({ id: 8, name: "Other" })] };
  const sent = stubCalls(answers);
  await render();
  await choose(MORE, "Delete");
  expect(changing(sent)).toEqual([]);
  answers[LIST] = [sampleToken({ id: 8, name: "Other" })];
  await userEvent.click(within(await screen.findByRole("dialog")).getByRole("button", { name: "Delete" }));
  await waitFor(() => expect(screen.queryByRole("link", { name: "Main" })).toBeNull());
  expect(changing(sent)).toMatchObject([{ method: "DELETE", address: "/api/token/7/" }]);
});

test("[TLIST-32] [TLIMIT-05] the toggle sends id and status alone", async () => {
  const sent = stubCalls({ [LIST]: [sampleToken()], "PUT /api/token/?status_only=true": sampleToken({ status: 2 }) });
  await render();
  await choose(MORE, "Disable");
  expect(await (await row()).findByText("Disabled")).toBeTruthy();
  await choose(MORE, "Enable");
  await waitFor(() => expect(changing(sent)).toHaveLength(2));
  expect(changing(sent)).toEqual([
    { method: "PUT", address: "/api/token/?status_only=true", body: { id: 7, status: 2 } },
    { method: "PUT", address: "/api/token/?status_only=true", body: { id: 7, status: 1 } },
  ]);
});

test("[TLIST-33] the edit button leads to the form", async () => {
  stubCalls({ [LIST]: [sampleToken()] });
  const { router } = await render();
  await userEvent.click((await row()).getByRole("button", { name: "Edit Main" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/token/edit/7"));
});

test("[TLIST-03..05] the sort menu asks the server for the order and keeps it in the address", async () => {
  stubCalls({
    [LIST]: [sampleToken()],
    "GET /api/token/?p=0&size=20&order=used_quota&direction=desc": [sampleToken({ id: 8, name: "Spender" })],
  });
  const { router } = await render("/token?sort=name");
  await row();
  await userEvent.click(screen.getByRole("combobox", { name: "Sort" }));
  expect((await screen.findAllByRole("option")).map((option) => option.textContent)).toEqual([
    "Default order",
    "Remaining quota",
    "Used quota",
  ]);
  await userEvent.click(screen.getByRole("option", { name: "Used quota" }));
  expect(await screen.findByRole("link", { name: "Spender" })).toBeTruthy();
  expect(router.state.location.searchStr).toBe("?sort=-used_quota");
});

test("[TLIST-01] [TLIST-02] the address holds search and sort, and the server is asked for them", async () => {
  const sent = stubCalls({ "GET /api/token/search": [sampleToken()] });
  await render("/token?keyword=ma&sort=name");
  await row();
  const asked = sent.map((call) => call.address).filter((address) => address.startsWith("/api/token/"));
  expect(asked).toEqual(["/api/token/search?p=0&size=20&order=name&direction=asc&keyword=ma"]);
  expect(screen.getByPlaceholderText("Search by name")).toHaveProperty("value", "ma");
  const heads = screen.getAllByRole("columnheader").filter((head) => within(head).queryByRole("button") !== null);
  expect(heads.map((head) => head.textContent)).toEqual([
    "Name",
    "Status",
    "Used",
    "Remaining",
    "Created",
    "Expires",
    "Last used",
  ]);
});

test("the state narrows the list down on the server, and stands in the address", async () => {
  const sent = stubCalls({
    [LIST]: [sampleToken()],
    "GET /api/token/?p=0&size=20&status=2": [
      sampleToken({ id: 8, name: "Off", status: 2, flagged_count: 3, keep_bodies: true }),
    ],
  });
  const { router } = await render();
  await row();
  await userEvent.click(screen.getByRole("combobox", { name: "Status" }));
  await userEvent.click(await screen.findByRole("option", { name: "Disabled" }));
  expect((await row("Off")).getByText("3 prompts flagged")).toBeTruthy();
  expect((await row("Off")).getByText("Stores bodies")).toBeTruthy();
  expect(router.state.location.searchStr).toBe("?status=2");
  expect(sent.filter(({ address }) => address.includes("/api/token/"))).toHaveLength(2);
});

test("an empty list teaches what a token is, with a call to copy", async () => {
  stubCalls({ [LIST]: [] });
  await render();
  expect(await screen.findByText("No tokens yet")).toBeTruthy();
  expect(screen.getByText(/curl .*\/v1\/chat\/completions/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Create your first token" }).getAttribute("href")).toBe("/token/add");
});

test("on a narrow screen a card's actions stand in one sheet", async () => {
  setScreenWidth(360);
  stubCalls({ [LIST]: [sampleToken()] });
  await render();
  await userEvent.click(await screen.findByRole("button", { name: "Actions for Main" }));
  const sheet = within(await screen.findByRole("dialog"));
  expect(sheet.getByRole("button", { name: "Copy “name key”" })).toBeTruthy();
  expect(within(sheet.getByRole("group", { name: "Chat" })).getAllByRole("button")).toHaveLength(4);
  expect(sheet.getByRole("button", { name: "Delete" })).toBeTruthy();
});

test("a new key is made with the chosen time for the old one, and shown with what becomes of that", async () => {
  const key = "n".repeat(44) + "WXYZ";
  const endsAt = Math.floor(Date.now() / 1_000) + 3_600;
  const sent = stubCalls({
    [LIST]: [sampleToken({ old_key_ends_at: endsAt })],
    "POST /api/token/7/key": sampleToken({ key, old_key_ends_at: endsAt }),
  });
  await render();
  expect((await row()).getByText(/^Old key expires in 1 hour$/).title).toMatch(/works until \d{4}-/);
  await choose(MORE, "Rotate key");
  const asked = within(await screen.findByRole("dialog", { name: "Rotate the key of Main" }));
  expect(asked.getByRole<HTMLInputElement>("radio", { name: "24 hours" }).checked).toBe(true);
  expect(asked.getByText(/older key expires in .* revoked immediately/)).toBeTruthy();
  await userEvent.click(asked.getByRole("radio", { name: "1 hour" }));
  await userEvent.click(asked.getByRole("button", { name: "Rotate key" }));
  const shown = within(await screen.findByRole("dialog", { name: "New key of Main" }));
  expect(shown.getByText(/^Use this key from now on. The old one works until \d{4}-/)).toBeTruthy();
  expect(shown.getByText(`sk-${key}`)).toBeTruthy();
  expect(changing(sent).map(({ body }) => body)).toEqual([{ overlap_seconds: 3_600 }]);
});

test("a refused new key leaves the question open and says why", async () => {
  stubCalls({
    [LIST]: [sampleToken()],
    "POST /api/token/7/key": new Error("This token does not exist or was deleted."),
  });
  await render();
  await choose(MORE, "Rotate key");
  const asked = within(await screen.findByRole("dialog", { name: "Rotate the key of Main" }));
  await userEvent.click(asked.getByRole("button", { name: "Rotate key" }));
  expect(await asked.findByText(/This token does not exist/)).toBeTruthy();
  expect(createdTokens.get()).toBeUndefined();
});

test("the old key is ended after a question; without one there is nothing to end", async () => {
  const answers: Record<string, unknown> = {
    [LIST]: [sampleToken({ old_key_ends_at: 4_000_000_000 })],
    "DELETE /api/token/7/old-key": sampleToken(),
  };
  const sent = stubCalls(answers);
  await render();
  await choose(MORE, "Revoke old key");
  const question = within(await screen.findByRole("dialog", { name: "Revoke the old key of Main?" }));
  answers[LIST] = [sampleToken()];
  await userEvent.click(question.getByRole("button", { name: "Revoke old key" }));
  await waitFor(async () => expect((await row()).queryByText(/^Old key expires/)).toBeNull());
  expect(changing(sent)).toMatchObject([{ method: "DELETE", address: "/api/token/7/old-key" }]);
  await userEvent.click((await row()).getByRole("button", { name: MORE }));
  expect(await screen.findByRole("menuitem", { name: "Rotate key" })).toBeTruthy();
  expect(screen.queryByRole("menuitem", { name: "Revoke old key" })).toBeNull();
});

test("what a token may not do stands there on hover, and one that nobody uses is pointed out", async () => {
  const now = Math.floor(Date.now() / 1_000);
  const days = (count: number) => now - count * 86_400 - 60;
  stubCalls({
    [LIST]: [
      sampleToken({
        models: "gpt-4o,o3",
        subnet: "10.0.0.0/8",
        rpm_limit: 1_200,
        tpm_limit: 0,
        accessed_time: days(40),
      }),
      sampleToken({ id: 8, name: "Fresh", created_time: days(29) }),
      sampleToken({ id: 9, name: "Off", status: 2 }),
    ],
  });
  await render();
  const main = await row();
  expect(main.getByText("Restricted").title).toBe(
    "Models: gpt-4o, o3\nNetworks: 10.0.0.0/8\nRequests per minute: 1,200",
  );
  expect(main.getByText("Unused for 40 days").title).toMatch(/Delete it/);
  for (const name of ["Fresh", "Off"]) {
    const other = await row(name);
    expect(other.queryByText(/^(Restricted|Unused)/)).toBeNull();
  }
});

test("a token that nothing counts against is idle", async () => {
  const limits = [{ field: "rpm_limit", model: "", limit: 600, used: 0, resets_in: 0 }];
  const use = { counts_all_servers: true, servers: 1, account: [], tokens: [{ id: sampleToken().id, limits }] };
  stubCalls({ [LIST]: [sampleToken()], "GET /api/limit/": use });
  await render();
  expect(await (await row()).findByText("Idle")).toBeTruthy();
});

test("on a narrow screen status and order stand in the sheet of filters", async () => {
  setScreenWidth(360);
  stubCalls({ [LIST]: [sampleToken()] });
  const { router } = await render("/token?status=1");
  expect(screen.queryByRole("combobox", { name: "Status" })).toBeNull();
  await userEvent.click(await screen.findByRole("button", { name: "Filters (1)" }));
  const sheet = within(await screen.findByRole("dialog", { name: "Filters" }));
  expect(await sheet.findByRole("combobox", { name: "Sort" })).toBeTruthy();
  await userEvent.click(sheet.getByRole("button", { name: "Clear filters" }));
  await waitFor(() => expect(router.state.location.href).toBe("/token"));
});

test("the first call of a new token is shown in three languages, with its key", async () => {
  stubCalls({ [LIST]: [sampleToken()], "GET /api/user/available_models": ["o3"] });
  createdTokens.set({ tokens: [sampleToken({ id: 9, name: "Fresh" })], models: ["o3"] });
  await render();
  const dialog = within(await screen.findByRole("dialog", { name: "Token Fresh is ready" }));
  await userEvent.click(dialog.getByRole("button", { name: "Python" }));
  expect(dialog.getByText(/^from openai import OpenAI/).textContent).toContain(`api_key="${KEY}"`);
  await userEvent.click(dialog.getByRole("button", { name: "JavaScript" }));
  expect(dialog.getByText(/^import OpenAI from/).textContent).toContain(`apiKey: "${KEY}"`);
  expect(dialog.getByRole("link", { name: "Playground" }).getAttribute("href")).toBe("/playground?token=9");
});
