import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import ChannelFormPage from "./channel-form-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";

// Growing text fields measure again when fonts load, which jsdom knows nothing of.
Object.defineProperty(document, "fonts", { value: new EventTarget(), configurable: true });

const MODELS = {
  "GET /api/models": { "1": ["gpt-4o", "o3"] },
  "GET /api/channel/models": [],
  "GET /api/group/": ["default", "vip"],
};
const render = () => renderPage(<ChannelFormPage />, { address: "/channel/add", texts: ["channels"] });
const field = (name: RegExp) => screen.findByRole("textbox", { name });
const save = () => userEvent.click(screen.getByRole("button", { name: "Save" }));

test("[TEXT-23] [TEXT-24] an empty form says what is missing and sends nothing", async () => {
  const sent = stubCalls(MODELS);
  await render();
  await field(/^Name/);
  await save();
  expect((await screen.findAllByText("fill in channel name and channel key")).length).toBeGreaterThan(0);
  expect(screen.getAllByText("choose at least one model").length).toBeGreaterThan(0);
  expect(sent.filter((call) => call.method === "POST")).toEqual([]);
});

test("[CHFORM-19] a filled-in form creates the channel; the model map is remembered", async () => {
  const sent = stubCalls(MODELS);
  const { router } = await render();
  await userEvent.type(await field(/^Name/), "Main");
  await userEvent.type(await field(/^Key/), "sk-1");
  await waitFor(() => expect(screen.getByRole("button", { name: "Related" })).toHaveProperty("disabled", false));
  await userEvent.click(screen.getByRole("button", { name: "Related" }));
  await userEvent.type(await field(/^Models of this channel/), "my-model{Enter}");
  await save();
  await waitFor(() => expect(router.state.location.pathname).toBe("/channel"));
  const created = sent.find((call) => call.method === "POST");
  expect(created?.address).toBe("/api/channel/");
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
  await userEvent.type(await field(/^Name/), "Main");
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
  await userEvent.click(await screen.findByRole("switch", { name: "One channel per line" }));
  await userEvent.type(await field(/^Key/), "a{Enter}b{Enter}{Enter}c");
  expect(await screen.findByText("3 channels will be created")).toBeTruthy();
});

test("[CHFORM-17] [CHFORM-36] the fields follow the type", async () => {
  stubCalls(MODELS);
  await render();
  const choose = async (name: string) => {
    await userEvent.click(await screen.findByRole("combobox", { name: /^Type/ }));
    await userEvent.click(await screen.findByRole("option", { name }));
  };
  await choose("Azure OpenAI");
  expect(screen.getByText(/each deployment must have the same name as its model/)).toBeTruthy();
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
    output_price: 1,
  }));
  const sent = stubCalls({ ...MODELS, "GET /api/channel/models": all });
  await render();
  await userEvent.type(await field(/^Name/), "Main");
  await userEvent.type(await field(/^Key/), "sk-1");
  await userEvent.click(screen.getByRole("button", { name: "All" }));
  expect(await screen.findByText("1,200 models chosen")).toBeTruthy();
  expect(screen.queryByText("m-999")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Remove m-3" }));
  await save();
  await waitFor(() => expect(sent.some((call) => call.method === "POST")).toBe(true));
  const names = all.map((model) => model.id).filter((id) => id !== "m-3");
  expect(sent.find((call) => call.method === "POST")?.body).toMatchObject({ models: names.join(",") });
});
