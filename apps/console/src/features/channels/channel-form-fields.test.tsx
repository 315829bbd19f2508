import { fireEvent, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import ChannelFormPage from "./channel-form-page.tsx";

const answers = { "GET /api/models": {}, "GET /api/channel/models": [], "GET /api/group/": ["default"] };
let sent: ReturnType<typeof stubCalls>;

beforeEach(async () => {
  sent = stubCalls(answers);
  const texts = ["channel-form", "channel-shares", "channels"] as const;
  await renderPage(<ChannelFormPage />, { address: "/channel/add", texts });
  await screen.findByRole("textbox", { name: /^Name/ });
});

/** What is saved of a channel. */
async function saved() {
  await userEvent.click(screen.getByRole("button", { name: /^(Create channel|Save)$/ }));
  await waitFor(() => expect(sent.some(({ address }) => address === "/api/channel/")).toBe(true));
  return sent.find(({ address }) => address === "/api/channel/")?.body;
}

function type(label: RegExp, text: string) {
  fireEvent.change(screen.getByLabelText(label, { selector: "input, textarea" }), { target: { value: text } });
}

test("[CHFORM-01] [CHFORM-02] [CHFORM-25] [CHFORM-27] [ENT-024] [ENT-025] every field of a channel can be filled in, and an example shows how models are mapped", async () => {
  for (const name of ["Model mapping and costs", "Routing", "Limits and extras"])
    await userEvent.click(screen.getByRole("button", { name }));
  const example = screen.getByLabelText(/^Model mapping/, { selector: "textarea" }).getAttribute("placeholder") ?? "";
  const mapped = [...example.matchAll(/"([^"]+)-\d{4}-?\d{2}-?\d{2}": "([^"]+)"/g)];
  expect(mapped.map(([, dated]) => dated)).toEqual(mapped.map(([, , base]) => base));
  expect(mapped).toHaveLength(3);
  type(/^Name/, "Main");
  type(/^Key/, "sk-1");
  type(/^Base URL/, "https://a.example");
  await userEvent.type(screen.getByRole("textbox", { name: /^Models of this channel/ }), "m1{Enter}m2{Enter}");
  type(/^Model mapping/, '{"m1":"m"}');
  type(/^System prompt/, "Be brief.");
  type(/^Organization/, "org-1");
  type(/^Proxy/, "socks5://me:word@10.0.0.1:1080");
  // Only whole dollars get into the field.
  type(/^Spending limit/, "1.5");
  type(/^Priority/, "3");
  type(/^Weight/, "4");
  await userEvent.click(screen.getByRole("switch", { name: /^Count prompt tokens locally/ }));
  expect(await saved()).toMatchObject({
    type: 1,
    name: "Main",
    key: "sk-1",
    base_url: "https://a.example",
    models: "m1,m2",
    group: "default",
    model_mapping: '{"m1":"m"}',
    system_prompt: "Be brief.",
    organization: "org-1",
    proxy: "socks5://me:word@10.0.0.1:1080",
    soft_limit_usd: 1,
    calc_prompt: false,
    priority: 3,
    weight: 4,
  });
});

test("addresses of dialects are saved, and one that is none is named before", async () => {
  await userEvent.click(screen.getByRole("button", { name: "Dialect addresses" }));
  type(/^Name/, "Main");
  type(/^Key/, "sk-1");
  await userEvent.type(screen.getByRole("textbox", { name: /^Models of this channel/ }), "m1{Enter}");
  type(/^Anthropic/, "a.example/anthropic");
  await userEvent.click(screen.getByRole("button", { name: "Create channel" }));
  expect(await screen.findAllByText("Addresses must begin with http:// or https://.")).not.toHaveLength(0);
  expect(sent.some(({ address }) => address === "/api/channel/")).toBe(false);
  type(/^Anthropic/, "https://a.example/anthropic");
  type(/^Gemini/, "https://a.example/gemini");
  type(/^Gemini/, "");
  expect(await saved()).toMatchObject({ dialect_urls: '{"anthropic":"https://a.example/anthropic"}' });
});

test.each([
  ["[CHFORM-11]", "Azure OpenAI", "API version"],
  ["[CHFORM-12]", "iFlytek Spark", "Model version"],
  ["[CHFORM-13]", "AI Proxy (knowledge base)", "Knowledge base ID"],
  ["[CHFORM-14]", "Alibaba Qwen", "Plugin parameter"],
])("%s %s asks for its %s", async (_line, name, label) => {
  await userEvent.click(screen.getByRole("combobox", { name: /^Type/ }));
  await userEvent.click(await screen.findByRole("option", { name }));
  expect(screen.getByRole("textbox", { name: new RegExp(`^${label}`) })).toBeTruthy();
});
