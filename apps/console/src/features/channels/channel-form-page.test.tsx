import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, onTestFinished, test } from "vitest";
import { changeLanguage } from "../../lib/i18n/i18n.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { sampleChannel } from "./testing/sample-channel.ts";
import ChannelFormPage from "./channel-form-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";

const MODELS = {
  "GET /api/models": { "1": ["gpt-4o", "o3"] },
  "GET /api/channel/models": [],
  "GET /api/group/": ["default", "vip"],
};
const render = () =>
  renderPage(<ChannelFormPage />, { address: "/channel/add", texts: ["channel-form", "channel-shares", "channels"] });
const field = (name: RegExp) => screen.findByRole("textbox", { name });
/** Types a name over the one that is filled in. */
async function typeName(name: string) {
  const input = await field(/^Name/);
  await waitFor(() => expect(input).not.toHaveProperty("value", ""));
  await userEvent.clear(input);
  await userEvent.type(input, name);
}
const save = () => userEvent.click(screen.getByRole("button", { name: /^(Create channel|Save)$/ }));

test("[TEXT-23] [TEXT-24] an empty form says what is missing and sends nothing", async () => {
  const sent = stubCalls({ ...MODELS, "GET /api/models": {} });
  await render();
  const name = await field(/^Name/);
  await waitFor(() => expect(name).toHaveProperty("value", "OpenAI"));
  await userEvent.clear(name);
  await save();
  const summary = within(await screen.findByRole("alert"));
  expect(summary.getByText("fill in channel name and channel key")).toBeTruthy();
  expect(screen.getByText("Enter a channel name.")).toBeTruthy();
  expect(screen.getByText(/^Enter the channel key/)).toBeTruthy();
  expect(screen.getAllByText("choose at least one model").length).toBeGreaterThan(0);
  expect(sent.filter((call) => call.method === "POST")).toEqual([]);
});

test("[CHFORM-19] [ENT-115] a filled-in form creates the channel; the model map is remembered", async () => {
  const sent = stubCalls(MODELS);
  const { router } = await render();
  await typeName("Main");
  await userEvent.type(await field(/^Key/), "sk-1");
  await waitFor(() => expect(screen.getByRole("button", { name: "Related" })).toHaveProperty("disabled", false));
  await userEvent.click(screen.getByRole("button", { name: "Related" }));
  await userEvent.type(await field(/^Models of this channel/), "my-model{Enter}");
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/channel"));
  const created = sent.find((call) => call.address === "/api/channel/");
  expect(created?.body).toMatchObject({
    name: "Main",
    key: "sk-1",
    type: 1,
    models: "gpt-4o,o3,my-model",
    group: "default",
    status: 1,
  });
  expect(localStorage.getItem("channel_models")).toBe('{"1":["gpt-4o","o3"]}');
});

test("a refused save keeps what was typed", async () => {
  stubCalls({ ...MODELS, "POST /api/channel/": new Error("the database is asleep") });
  await render();
  await typeName("Main");
  await userEvent.type(await field(/^Key/), "sk-1");
  await userEvent.type(await field(/^Models of this channel/), "gpt-4o{Enter}");
  await save();
  expect((await screen.findAllByText(/the database is asleep/)).length).toBeGreaterThan(0);
  expect(await field(/^Name/)).toHaveProperty("value", "Main");
  expect(await field(/^Key/)).toHaveProperty("value", "sk-1");
});

test("[CHFORM-05] the batch switch counts the channels", async () => {
  stubCalls(MODELS);
  await render();
  await waitFor(async () => expect(await field(/^Name/)).toHaveProperty("value", "OpenAI"));
  await userEvent.click(await screen.findByRole("switch", { name: "One channel per key" }));
  await userEvent.type(await field(/^Key/), "a{Enter}b{Enter}{Enter}c");
  expect(await screen.findByText("3 channels will be created, OpenAI-1 to OpenAI-3.")).toBeTruthy();
});

test("[CHFORM-05] a batch says what its channels are called, and how many repeated keys it leaves out", async () => {
  stubCalls({ ...MODELS, "POST /api/channel/": { ids: [8, 9] } });
  await render();
  await typeName("Batch");
  await userEvent.click(await screen.findByRole("switch", { name: "One channel per key" }));
  await userEvent.type(await field(/^Key/), "a{Enter}b{Enter}a");
  const said = "2 channels will be created, Batch-1 to Batch-2. 1 duplicate key skipped";
  expect(await screen.findByText(said)).toBeTruthy();
  await userEvent.type(screen.getByRole("textbox", { name: /^Models of this channel/ }), "m1{Enter}");
  await save();
  expect(await screen.findByText("2 channels created. 1 duplicate key skipped")).toBeTruthy();
});

test("[CHFORM-17] [CHFORM-36] the fields follow the type", async () => {
  stubCalls(MODELS);
  await render();
  const choose = async (name: string) => {
    await userEvent.click(await screen.findByRole("combobox", { name: /^Type/ }));
    await userEvent.click(await screen.findByRole("option", { name }));
  };
  await choose("Azure OpenAI");
  expect(screen.getByText(/Each deployment must have the name of its model/)).toBeTruthy();
  expect(await field(/^API version/)).toHaveProperty("placeholder", "2024-03-01-preview");
  await choose("AWS");
  expect(await field(/^Region/)).toBeTruthy();
  expect(screen.queryByRole("textbox", { name: /^Key/ })).toBeNull();
});

test("[CHFORM-20] all models go out, however many; only the first are drawn until asked for", async () => {
  const all = Array.from({ length: 1_200 }, (_model, index) => ({
    id: `m-${index}`,
    object: "model",
    created: 1,
    owned_by: "custom",
    input_price: 0.5,
    output_price: 1,
    channels: index % 2,
  }));
  const sent = stubCalls({ ...MODELS, "GET /api/channel/models": all });
  await render();
  await typeName("Main");
  await userEvent.type(await field(/^Key/), "sk-1");
  await userEvent.click(screen.getByRole("button", { name: "All" }));
  expect(await screen.findByText("1,200 models selected")).toBeTruthy();
  expect(screen.queryByText("m-999")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Remove m-3" }));
  await save();
  await waitFor(() => expect(sent.some((call) => call.address === "/api/channel/")).toBe(true));
  const names = all.map((model) => model.id).filter((id) => id !== "m-3");
  expect(sent.find((call) => call.address === "/api/channel/")?.body).toMatchObject({ models: names.join(",") });
});

test("the type is found by typing, and Enter takes it without submitting the form", async () => {
  const sent = stubCalls(MODELS);
  await render();
  const type = await screen.findByRole("combobox", { name: /^Type/ });
  expect(type).toHaveProperty("value", "OpenAI");
  await userEvent.click(type);
  await userEvent.keyboard("azure");
  expect(type).toHaveProperty("value", "azure");
  await waitFor(() =>
    expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual(["Azure OpenAI"]),
  );
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(type).toHaveProperty("value", "Azure OpenAI"));
  expect(await field(/^API version/)).toBeTruthy();
  expect(screen.queryByText(/need your attention/)).toBeNull();
  // Closed, typing begins a new search instead of lengthening the name; Escape gives it up.
  await userEvent.keyboard("claude{Escape}");
  await waitFor(() => expect(type).toHaveProperty("value", "Azure OpenAI"));
  await userEvent.keyboard("claude{Enter}");
  await waitFor(() => expect(type).toHaveProperty("value", "Anthropic Claude"));
  expect(sent.filter((call) => call.method === "POST")).toEqual([]);
});

test("types have their Chinese names in Chinese, and are found by these and by the English ones", async () => {
  onTestFinished(() => changeLanguage("en"));
  stubCalls(MODELS);
  await render();
  await changeLanguage("zh-CN");
  const type = await screen.findByRole("combobox", { name: /^类型/ });
  for (const [typed, label] of [
    ["千帆", "百度文心千帆"],
    ["通义", "阿里通义千问"],
    ["Zhipu", "智谱 ChatGLM"],
    ["hunyuan", "腾讯混元"],
    ["iFlytek", "讯飞星火"],
  ] as const) {
    await userEvent.click(type);
    await userEvent.keyboard(typed);
    await waitFor(() => expect(screen.getAllByRole("option").map((option) => option.textContent)).toEqual([label]));
    await userEvent.keyboard("{Enter}");
    await waitFor(() => expect(type).toHaveProperty("value", label));
  }
});

const stored = sampleChannel({ base_url: "https://a.example.com" });
const edit = (answers: Record<string, unknown> = {}) => {
  const sent = stubCalls({ ...MODELS, "GET /api/channel/7": stored, ...answers });
  const view = renderPage(<ChannelFormPage />, {
    address: "/channel/edit/7",
    path: "/channel/edit/$id",
    texts: ["channel-form", "channel-shares", "channels"],
  });
  return view.then(({ router }) => ({ sent, router }));
};

test("[CHFORM-08] a changed address asks for the key anew, in the key's field", async () => {
  await edit();
  const key = await field(/^Key/);
  expect(key).toHaveProperty("placeholder", "Leave empty to keep the stored key");
  await userEvent.type(await field(/^Base URL/), "/v2");
  expect(await screen.findByText(/Enter the key again: the URL or type changed/)).toBeTruthy();
  expect(key).toHaveProperty("placeholder", "The provider's API key");
});

const FAILED_TEST = {
  model: "gpt-4o",
  failure: "connection",
  status: 0,
  message: "connect ECONNREFUSED",
  address: "a.example.com/v1/chat/completions",
};

test("save and test: a failed test keeps the form and says above it what went wrong; a good one leads to the list", async () => {
  const answers: Record<string, unknown> = {
    "PUT /api/channel/": stored,
    "GET /api/channel/test/7?model=": new Error("cannot connect"),
  };
  const { sent, router } = await edit(answers);
  await typeName("Second");
  stubCalls({ ...answers, ...MODELS, "GET /api/channel/7": { ...stored, test_time: 9, last_test: FAILED_TEST } });
  await userEvent.click(screen.getByRole("button", { name: "Save and test" }));
  const notice = await screen.findByText("Last test failed");
  expect(notice).toBeTruthy();
  expect(screen.getByText("a.example.com/v1/chat/completions")).toBeTruthy();
  expect(screen.getByText(/Cannot connect/)).toBeTruthy();
  expect(router.state.location.pathname).toBe("/channel/edit/7");
  expect(screen.queryByText("Unsaved changes")).toBeNull();
  stubCalls({
    ...answers,
    ...MODELS,
    "GET /api/channel/7": stored,
    "GET /api/channel/test/7?model=": { time: 0.5, modelName: "gpt-4o" },
  });
  await userEvent.click(screen.getByRole("button", { name: "Save and test" }));
  expect(await screen.findByText("Channel test success: gpt-4o, 0.50 s")).toBeTruthy();
  await waitFor(() => expect(router.state.location.pathname).toBe("/channel"));
  expect(sent.filter((call) => call.method === "PUT")).toEqual([]);
});

test("save and test of a new channel whose test fails opens its edit form", async () => {
  stubCalls({
    ...MODELS,
    "POST /api/channel/": { ids: [12] },
    "GET /api/channel/test/12?model=": new Error("cannot connect"),
  });
  const { router } = await render();
  await typeName("Main");
  await userEvent.type(await field(/^Key/), "sk-1");
  await userEvent.type(await field(/^Models of this channel/), "gpt-4o{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Save and test" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/channel/edit/12"));
});

test("the share is shown while priority and weight are typed, and a press gives a standby channel its share", async () => {
  const own = { channel: 7, name: "Main", priority: 3, weight: 0, share: 0, reason: "-", code: "no-weight" };
  const other = { channel: 8, name: "Other", priority: 5, weight: 2, share: 1, reason: "", code: "" };
  const address = (priority: number, weight: number) =>
    `GET /api/channel/share?model=gpt-4o&group=default&channel=7&priority=${priority}&weight=${weight}`;
  await edit({
    [address(3, 0)]: [other, { ...own, code: "lower-priority" }],
    [address(5, 0)]: [other, { ...own, priority: 5 }],
    [address(5, 1)]: [
      { ...other, share: 0.5 },
      { ...own, priority: 5, weight: 1, share: 0.5, reason: "", code: "" },
    ],
  });
  expect(await screen.findByRole("button", { name: "Set priority 5 and weight 1 to share them" })).toBeTruthy();
  await userEvent.clear(await field(/^Priority/));
  await userEvent.type(await field(/^Priority/), "5");
  await userEvent.click(await screen.findByRole("button", { name: "Set weight 1 to share them" }));
  expect(await field(/^Weight/)).toHaveProperty("value", "1");
  expect(await screen.findAllByText("50.0%")).toHaveLength(2);
  expect(screen.queryByText(/only when the others fail/)).toBeNull();
});

test("a new channel gets its type's models, and those that the provider lists once the key is typed", async () => {
  const sent = stubCalls({ ...MODELS, "POST /api/channel/models/ask": { models: ["fresh", "o3"] } });
  await render();
  expect(await screen.findByText("2 models selected")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Remove gpt-4o" })).toBeTruthy();
  await userEvent.type(await field(/^Key/), "sk-typed{Tab}");
  expect(await screen.findByRole("button", { name: "Remove fresh" })).toBeTruthy();
  // A known model comes first: it is the one that a test asks.
  const removes = screen.getAllByRole("button", { name: /^Remove / }).map((button) => button.ariaLabel);
  expect(removes).toEqual(["Remove o3", "Remove fresh"]);
  expect(sent.find((call) => call.method === "POST")?.body).toMatchObject({ id: 0, type: 1, key: "sk-typed" });
});

test("models that were changed by hand stay when the key is typed, and a press puts right what differs", async () => {
  stubCalls({ ...MODELS, "POST /api/channel/models/ask": { models: ["gpt-4o", "fresh"] } });
  await render();
  await userEvent.type(await field(/^Models of this channel/), "lost{Enter}");
  await userEvent.click(screen.getByRole("button", { name: "Remove o3" }));
  await userEvent.type(await field(/^Key/), "sk-typed{Tab}");
  expect(await screen.findByText("The provider lists 2 models.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Remove lost" })).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Add" }));
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Fetch models" }));
  await userEvent.click(screen.getByRole("button", { name: "Remove" }));
  expect(await screen.findByText("Up to date")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Remove fresh" })).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Remove lost" })).toBeNull();
});

test("sections that few channels need are folded, and open themselves where something differs from the default", async () => {
  stubCalls({ ...MODELS, "GET /api/channel/7": sampleChannel({ id: 7, priority: 5 }) });
  const address = "/channel/edit/7";
  await renderPage(<ChannelFormPage />, {
    address,
    path: "/channel/edit/$id",
    texts: ["channel-form", "channel-shares", "channels"],
  });
  expect(await field(/^Priority/)).toHaveProperty("value", "5");
  expect(screen.queryByRole("textbox", { name: /^System prompt/ })).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Limits and extras" }));
  expect(await field(/^System prompt/)).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Limits and extras" }));
  expect(screen.queryByRole("textbox", { name: /^System prompt/ })).toBeNull();
});

test("a new channel has the name of its type, numbered where that is taken, until another is typed", async () => {
  stubCalls({ ...MODELS, "GET /api/channel/search": [sampleChannel({ name: "OpenAI" })] });
  const { router } = await render();
  const name = await field(/^Name/);
  await waitFor(() => expect(name).toHaveProperty("value", "OpenAI 2"));
  const choose = async (type: string) => {
    await userEvent.click(screen.getByRole("combobox", { name: /^Type/ }));
    await userEvent.click(await screen.findByRole("option", { name: type }));
  };
  await choose("Groq");
  await waitFor(() => expect(name).toHaveProperty("value", "Groq"));
  await typeName("Mine");
  await choose("OpenAI");
  await waitFor(() => expect(screen.getByRole("combobox", { name: /^Type/ })).toHaveProperty("value", "OpenAI"));
  expect(name).toHaveProperty("value", "Mine");
  expect(router.state.location.pathname).toBe("/channel/add");
});

test("a filled-in name and models are no unsaved changes", async () => {
  stubCalls(MODELS);
  await render();
  await waitFor(async () => expect(await field(/^Name/)).toHaveProperty("value", "OpenAI"));
  await screen.findByText("2 models selected");
  expect(screen.queryByText("Unsaved changes")).toBeNull();
  await userEvent.type(await field(/^Key/), "sk-1");
  expect(await screen.findByText("Unsaved changes")).toBeTruthy();
});

test("beside the form stand the steps of its test with their results", async () => {
  stubCalls({ ...MODELS, "POST /api/channel/models/ask": { models: ["o3"] } });
  await render();
  const steps = within(await screen.findByRole("region", { name: "On save and test" }));
  const states = () => steps.getAllByRole("img").map((icon) => icon.ariaLabel);
  expect(await steps.findByText("Test request to gpt-4o")).toBeTruthy();
  expect(states()).toEqual(["Pending", "Pending", "Pending", "Pending"]);
  await userEvent.type(await field(/^Key/), "sk-typed{Tab}");
  expect(await steps.findByText("1 model listed by the provider")).toBeTruthy();
  expect(steps.getByText("Test request to o3")).toBeTruthy();
  expect(states()[0]).toBe("Done");
});

test("a key without a model list fails the first step, and a stored channel shows its last test", async () => {
  stubCalls({ ...MODELS, "POST /api/channel/models/ask": new Error("refused") });
  const { unmount } = await render();
  await userEvent.type(await field(/^Key/), "sk-typed{Tab}");
  expect(await screen.findByText("No models listed")).toBeTruthy();
  unmount();
  const tested = { ...stored, models: "gpt-4o", test_time: 9, last_test: FAILED_TEST };
  await edit({ "GET /api/channel/7": tested });
  const steps = within(await screen.findByRole("region", { name: "On save and test" }));
  expect(steps.getAllByRole("img").map((icon) => icon.ariaLabel)).toEqual(["Pending", "Failed", "Pending"]);
  expect(steps.getByText(/cannot connect/)).toBeTruthy();
});

test("each chosen model shows its list prices and whether another channel serves it", async () => {
  const known = { object: "model", created: 1, owned_by: "OpenAI" };
  stubCalls({
    ...MODELS,
    "GET /api/channel/models": [
      { ...known, id: "gpt-4o", input_price: 2.5, output_price: 10, channels: 2 },
      { ...known, id: "o3", input_price: null, output_price: null, channels: 0 },
    ],
  });
  await render();
  const cellsOf = async (model: string) =>
    within(await screen.findByRole("row", { name: new RegExp(`^${model} `) }))
      .getAllByRole("cell")
      .map(({ textContent }) => textContent);
  await waitFor(async () => expect(await cellsOf("gpt-4o")).toEqual(["$2.50", "$10.00", "2 channels", ""]));
  expect(await cellsOf("o3")).toEqual(["–", "–", "No other channel", ""]);
});
