import { TOKEN_QUOTA_PRESETS } from "@one-api/contract/token-constants";
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import { sampleToken } from "./testing/sample-token.ts";
import { createdTokens } from "./token-mutations.ts";
import TokenFormPage from "./token-form-page.tsx";

const MODELS = { "GET /api/user/available_models": ["gpt-4o", "o3"] };
const add = () => renderPage(<TokenFormPage />, { address: "/token/add", texts: ["tokens", "budgets", "limits"] });
const edit = () =>
  renderPage(<TokenFormPage />, {
    address: "/token/edit/7",
    path: "/token/edit/$id",
    texts: ["tokens", "budgets", "limits"],
  });
// Files share the store, and the list shows what is in it.
afterEach(() => createdTokens.set(undefined));

const field = (name: RegExp) => screen.findByRole("textbox", { name });
const save = () => userEvent.click(screen.getByRole("button", { name: /^(Create token|Save)$/ }));
const changing = (sent: ReturnType<typeof stubCalls>) => sent.filter((call) => call.method !== "GET");
const unfold = async (section: string) => userEvent.click(await screen.findByRole("button", { name: section }));
const retype = async (name: RegExp, text: string) => {
  await userEvent.clear(await field(name));
  await userEvent.type(await field(name), text);
};

test("[TFORM-03] [TEXT-25] a missing name and a wrong expiry are named, and nothing is sent", async () => {
  const sent = stubCalls(MODELS);
  await add();
  await retype(/^Expires/, "soon");
  await save();
  expect((await screen.findAllByText("Enter a token name.")).length).toBeGreaterThan(0);
  expect(screen.getAllByText("expiry time format is wrong").length).toBeGreaterThan(0);
  expect(changing(sent)).toEqual([]);
});

test("[TFORM-19] [TEXT-51] a filled-in form creates the tokens and leads back to the list", async () => {
  const created = [1, 2].map((id) => ({ id, name: `Main-${id}`, key: `key-${id}` }));
  const answer = { ...sampleToken({ models: "my-model" }), created };
  const sent = stubCalls({ ...MODELS, "POST /api/token/": answer });
  const { router } = await add();
  await userEvent.type(await field(/^Name/), "Main");
  await unfold("Access");
  await userEvent.type(await screen.findByRole("combobox", { name: /^Models/ }), "my-model{Enter}");
  await userEvent.type(
    screen.getByRole("combobox", { name: /^Allowed networks/ }),
    "192.0.2.0/24,2001:db8::/32{Enter}",
  );
  await userEvent.click(screen.getByRole("button", { name: "Never" }));
  await unfold("Number of tokens");
  await retype(/^Number of tokens/, "2");
  expect(screen.getByText("Creates 2 tokens: Main-1 … Main-2")).toBeTruthy();
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/token"));
  expect(await screen.findByText("2 tokens created (copy from the list)")).toBeTruthy();
  expect(createdTokens.get()).toEqual({ tokens: created, models: ["my-model"] });
  expect(changing(sent)).toMatchObject([
    {
      address: "/api/token/",
      body: {
        name: "Main",
        batch_number: 2,
        expired_time: -1,
        models: "my-model",
        subnet: "192.0.2.0/24,2001:db8::/32",
      },
    },
  ]);
});

test("groups are chosen in order, by name and price factor, and only by members of several", async () => {
  const groups = [
    { group: "default", ratio: 1 },
    { group: "vip", ratio: 2 },
  ];
  const sent = stubCalls({ ...MODELS, "GET /api/user/groups": groups, "POST /api/token/": sampleToken() });
  await add();
  await userEvent.type(await field(/^Name/), "Main");
  await unfold("Access");
  const input = await screen.findByRole("combobox", { name: /^Groups/ });
  await userEvent.click(input);
  await userEvent.click(await screen.findByRole("option", { name: "vip (× 2)" }));
  await userEvent.click(await screen.findByRole("option", { name: "default (× 1)" }));
  await save();
  await waitFor(() => expect(changing(sent)).toMatchObject([{ body: { group: "vip,default" } }]));
});

test("[TFORM-06..11] the quota presets set the quota and show its dollars", async () => {
  stubCalls(MODELS);
  await add();
  const quota = await field(/^Quota/);
  expect(quota).toHaveProperty("value", "$1.00");
  expect(screen.getByRole("button", { name: "500,000 quota" })).toBeTruthy();
  const presets = within(screen.getByRole("group", { name: "Quota presets" }));
  const set: unknown[] = [];
  for (const { dollars } of TOKEN_QUOTA_PRESETS) {
    await userEvent.click(presets.getByRole("button", { name: `${dollars}$` }));
    expect(quota).toHaveProperty("value", `$${dollars}.00`);
    set.push(screen.getAllByRole("button", { name: /quota$/ })[0]?.textContent);
  }
  const shown = ["2,500,000", "5,000,000", "7,500,000", "10,000,000", "50,000,000", "60,000,000"];
  expect(set).toEqual(shown.map((amount) => `${amount} quota`));
  await userEvent.click(screen.getByRole("switch", { name: /^Unlimited quota/ }));
  expect(quota).toHaveProperty("disabled", true);
});

test("a sentence says what the token may do, and follows the form", async () => {
  stubCalls(MODELS);
  await add();
  const sentence = await screen.findByText(/^The token may spend \$1\.00/);
  expect(sentence.textContent).toMatch(/ until \d{4}-\d\d-\d\d: 600 requests a minute, all models\.$/);
  await userEvent.click(screen.getByRole("switch", { name: /^Unlimited quota/ }));
  await userEvent.click(screen.getByRole("button", { name: "Never" }));
  await unfold("Rate limits");
  await retype(/^Requests per minute/, "0");
  expect(screen.getByText("The token may spend your whole balance and never expires: all models.")).toBeTruthy();
});

test("[TLIMIT-07..11] the limits say what they count, and that 0 is no limit", async () => {
  stubCalls(MODELS);
  await add();
  await unfold("Rate limits");
  expect(await field(/^Requests per minute/)).toHaveProperty("value", "600");
  expect(await field(/^Image requests per minute/)).toHaveProperty("value", "60");
  expect(await field(/^Tokens per minute/)).toHaveProperty("value", "60");
  expect(screen.getByText("Relay requests per minute. 0 = no limit.")).toBeTruthy();
  expect(screen.getByText("Image (drawing) requests per minute. 0 = no limit.")).toBeTruthy();
  expect(screen.getByText("Thousand tokens per minute, prompt + completion; 60 is 60,000. 0 = no limit.")).toBeTruthy();
});

test("a refused save keeps what was typed and says why", async () => {
  stubCalls({ ...MODELS, "POST /api/token/": new Error("Your own quota is 0.") });
  await add();
  await userEvent.type(await field(/^Name/), "Main");
  await save();
  expect((await screen.findAllByText(/Your own quota is 0/)).length).toBeGreaterThan(0);
  expect(await field(/^Name/)).toHaveProperty("value", "Main");
});

test("a refusal of one field stands at that field", async () => {
  stubCalls(MODELS);
  const answerOthers = fetch;
  vi.stubGlobal("fetch", (address: string, init?: RequestInit) => {
    if (init?.method !== "POST") return answerOthers(address, init);
    return Promise.resolve(
      Response.json({
        success: false,
        message: "Give it at most 10.",
        code: "token-quota-above-own",
        field: "remain_quota",
      }),
    );
  });
  await add();
  await userEvent.type(await field(/^Name/), "Main");
  await save();
  await waitFor(async () => expect((await field(/^Quota/)).getAttribute("aria-invalid")).toBe("true"));
  expect(screen.getAllByText("Give it at most 10.").length).toBeGreaterThan(0);
});

test("[ENT-062] a list that arrives in one piece, as from a phone's keyboard, is taken apart", async () => {
  const sent = stubCalls({ ...MODELS, "POST /api/token/": sampleToken() });
  await add();
  await userEvent.type(await field(/^Name/), "Main");
  await unfold("Access");
  const models = await screen.findByRole("combobox", { name: /^Models/ });
  await userEvent.click(models);
  fireEvent.change(models, { target: { value: "gpt-4o, o3，o1," } });
  await userEvent.tab();
  await save();
  await waitFor(() => expect(changing(sent)).toMatchObject([{ body: { models: "gpt-4o,o3,o1" } }]));
});

test("a token that there is not is named, with a way back and nothing to try again", async () => {
  const answer = {
    success: false,
    message: "This token does not exist or was deleted.",
    data: null,
    code: "token-not-found",
  };
  vi.stubGlobal("fetch", async () => Response.json(answer));
  await edit();
  expect(await screen.findByText("This token does not exist or was deleted.")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Edit token" })).toBeTruthy();
  expect(screen.getByRole("link", { name: "Back" }).getAttribute("href")).toBe("/token");
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
});

test("[TFORM-21] an edited token sends its changes and the recharge, and not its untouched quota", async () => {
  const sent = stubCalls({
    ...MODELS,
    "GET /api/token/7": sampleToken({ models: "o3" }),
    "PUT /api/token/": sampleToken(),
  });
  const { router } = await edit();
  await retype(/^Name/, "Renamed");
  await userEvent.type(await field(/^Add quota/), "5");
  expect(screen.getByText("$6.00 will remain after saving.")).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: /^Number of tokens/ })).toBeNull();
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/token"));
  const body = changing(sent)[0]?.body;
  expect(body).toMatchObject({ id: 7, name: "Renamed", recharge_quota: 5, expired_time: -1, models: "o3" });
  expect(body).not.toHaveProperty("remain_quota");
});

test("the page and its tab say which token is edited", async () => {
  stubCalls({ "GET /api/token/7": sampleToken() });
  await edit();
  const title = await screen.findByRole("heading", { name: "Edit token" });
  expect(title.nextElementSibling?.textContent).toBe("Main");
  expect(document.title).toBe("Main · Edit token · One API");
});

test("an expiry in the past is warned of before it is saved", async () => {
  stubCalls(MODELS);
  await add();
  const expiry = await field(/^Expires/);
  expect(screen.queryByText(/the token has expired/)).toBeNull();
  await retype(/^Expires/, "2020-01-02 03:04:05");
  expect(expiry).toHaveProperty("value", "2020-01-02 03:04:05");
  expect((await screen.findByText(/the token has expired/)).getAttribute("role")).toBe("status");
});

test("the preset of the expiry is marked until the expiry is typed", async () => {
  stubCalls(MODELS);
  await add();
  const pressed = () => screen.queryByRole("button", { name: /^(One (month|day)|Never)$/, pressed: true })?.textContent;
  await field(/^Expires/);
  expect(pressed()).toBe("One month");
  await userEvent.click(screen.getByRole("button", { name: "One day" }));
  expect(pressed()).toBe("One day");
  await retype(/^Expires/, "2036-01-02");
  expect(pressed()).toBeUndefined();
});

test("a budget is folded away until the token has one", async () => {
  stubCalls({ "GET /api/token/7": sampleToken() });
  const { unmount } = await edit();
  expect(await screen.findByText("No limit per day, week or month")).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: /^Amount per period/ })).toBeNull();
  unmount();
  const budget = { period: "daily" as const, quota: 500_000, used: 0, renews_at: 2_000_000_000 };
  stubCalls({ "GET /api/token/7": sampleToken({ budget }) });
  await edit();
  expect(await field(/^Amount per period/)).toHaveProperty("value", "$1.00");
});

test("the form says how many chats the quota buys, with models from cheap to dear, but not an unlimited one", async () => {
  const prices = ["e", "a", "c", "b", "d"].map((model) => {
    const input = 10 ** "abcde".indexOf(model);
    return { model, types: [1], group: "default", group_ratio: 1, input, output: 2 * input, abilities: [] };
  });
  stubCalls({ ...MODELS, "GET /api/pricing": prices });
  await add();
  const rows = within(await screen.findByRole("region", { name: "What $1.00 buys" })).getAllByRole("row");
  const texts = rows.map((row) => [...row.children].map(({ textContent }) => textContent));
  expect(texts).toEqual([
    ["Model", "Chats"],
    ["a", "500"],
    ["b", "50"],
    ["d", "0"],
    ["e", "0"],
  ]);
  await userEvent.click(screen.getByRole("switch", { name: /^Unlimited quota/ }));
  expect(screen.queryByRole("region", { name: "What $1.00 buys" })).toBeNull();
});
