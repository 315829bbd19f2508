import { CHAT_PARAMETERS } from "@one-api/contract/playground";
import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";
import { clearUser, storeUser } from "../../../lib/state/session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { setScreenWidth } from "../../../testing/screen-width.ts";
import { stubCalls } from "../../../testing/stub-calls.ts";
import { sampleToken } from "../../tokens/testing/sample-token.ts";
import PlaygroundPage from "../playground-page.tsx";

const models = ["gpt-4o", "plain"].map((model) => ({
  model,
  parameters: [...CHAT_PARAMETERS],
  max_output_tokens: null,
}));

beforeEach(() => {
  storeUser({ id: 901, username: "mia", display_name: "Mia", role: 1, status: 1 });
  const token = sampleToken({ id: 7, name: "Bot" });
  stubCalls({ "GET /api/token/search": [token], "GET /api/token/7": token, "GET /api/playground/models": models });
});
afterEach(clearUser);

async function open() {
  const address = "/playground?token=7&model=gpt-4o";
  const view = await renderPage(<PlaygroundPage />, { address, path: "/playground", texts: ["playground"] });
  await screen.findByRole("region", { name: "gpt-4o" });
  return view;
}

test("an empty conversation offers examples, which are sent only by the user", async () => {
  await open();
  const text = "Explain in two sentences what a token is.";
  await userEvent.click(screen.getByRole("button", { name: text }));
  const field = screen.getByRole<HTMLTextAreaElement>("textbox", { name: "Message" });
  expect([field.value, document.activeElement]).toEqual([text, field]);
  expect(screen.getByRole("button", { name: text })).toBeTruthy();
});

test("where the settings have no room beside the chat, the model is chosen above it", async () => {
  setScreenWidth(1_024);
  const { router } = await open();
  await userEvent.click(screen.getByRole("combobox", { name: "Model" }));
  await userEvent.click(await screen.findByRole("option", { name: /plain/ }));
  await waitFor(() => expect(router.state.location.search).toMatchObject({ model: "plain" }));
  expect(await screen.findByRole("region", { name: "plain" })).toBeTruthy();
});
