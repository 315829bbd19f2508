import { CHAT_PARAMETERS } from "@one-api/contract/playground";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import { sampleToken } from "../tokens/testing/sample-token.ts";
import RecipesPage from "./recipes-page.tsx";
import { RECIPES } from "./recipes.ts";

const KEY = `abcd${"k".repeat(40)}wxyz`;
const token = sampleToken({ id: 7, name: "Bot", key: KEY });
const MODEL = { model: "gpt-4o", parameters: [...CHAT_PARAMETERS], max_output_tokens: 16_384 };

async function open(address: string, answers: Record<string, unknown> = {}) {
  storeUser({ id: 1, username: "mia", display_name: "Mia", role: 1, status: 1 });
  stubCalls({
    "GET /api/token/search": [token],
    "GET /api/token/7": token,
    "GET /api/playground/models": [MODEL, { ...MODEL, model: "o'brien" }],
    ...answers,
  });
  return renderPage(<RecipesPage />, { address, path: "/recipes", texts: ["recipes", "playground"] });
}

beforeEach(() => clearUser());

test("the key is shown short, copied whole, and stands in no address", async () => {
  const user = userEvent.setup();
  const { router } = await open("/recipes");
  await screen.findByRole("heading", { name: "Claude Code" });
  await user.click(screen.getByRole("button", { name: "Copy for Claude Code: Terminal" }));
  const copied = await navigator.clipboard.readText();
  expect(copied).toContain(`export ANTHROPIC_AUTH_TOKEN='sk-${KEY}'`);
  expect(copied).toContain(`export ANTHROPIC_BASE_URL='${globalThis.location.origin}'`);
  expect(copied).toContain("export ANTHROPIC_MODEL='gpt-4o'");
  expect(document.body.textContent).toContain("sk-…wxyz");
  await user.click(screen.getByRole("button", { name: "Codex CLI" }));
  await screen.findByRole("heading", { name: "Codex CLI" });
  expect(router.state.location.href).toBe("/recipes?client=codex");
  expect(document.body.innerHTML).not.toContain(KEY);
  expect(JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage)])).not.toContain(KEY);
});

test("the address opens a client, a token and a model", async () => {
  await open("/recipes?token=7&client=codex&model=o%27brien");
  const recipe = await screen.findByRole("region", { name: "Codex CLI" });
  expect(within(recipe).getByRole("heading", { name: "~/.codex/config.toml" })).toBeTruthy();
  expect(recipe.textContent).toContain('model = "o\'brien"');
  expect(screen.getByRole("button", { name: "Codex CLI", pressed: true })).toBeTruthy();
});

test("who has no token is led to make one", async () => {
  await open("/recipes", { "GET /api/token/search": [] });
  expect((await screen.findByRole("link", { name: "Add a token" })).getAttribute("href")).toBe("/token/add");
});

test("a coding agent is told of the token's limit of model tokens", async () => {
  const user = userEvent.setup();
  await open("/recipes?client=opencode");
  expect(await screen.findByText(/Allows 60,000 tokens a minute/)).toBeTruthy();
  expect(screen.getByRole("link", { name: "Change limit" }).getAttribute("href")).toBe("/token/edit/7");
  await user.click(screen.getByRole("button", { name: "curl" }));
  await screen.findByRole("heading", { name: "curl" });
  expect(screen.queryByText(/Allows .* tokens a minute/)).toBeNull();
});

test("a token without a limit of model tokens has no note", async () => {
  await open("/recipes?client=opencode", { "GET /api/token/7": { ...token, tpm_limit: 0 } });
  await screen.findByRole("heading", { name: "opencode" });
  expect(screen.queryByText(/Allows .* tokens a minute/)).toBeNull();
});

test("a client made for one family of models starts with a model of that family", async () => {
  const names = ["claude-sonnet-4-5", "claude-3-haiku", "gpt-4o-mini"];
  const models = names.map((model) => ({ ...MODEL, model }));
  await open("/recipes", { "GET /api/playground/models": models });
  expect((await screen.findByRole("region", { name: "Claude Code" })).textContent).toContain("claude-sonnet-4-5");
  await userEvent.click(screen.getByRole("button", { name: "opencode" }));
  expect((await screen.findByRole("region", { name: "opencode" })).textContent).toContain("gpt-4o-mini");
});

test.each(["GET /api/token/search", "GET /api/playground/models"])("what does not load says so: %s", async (call) => {
  await open("/recipes", { [call]: new Error("The database is gone.") });
  expect(await screen.findByText("The database is gone.")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
});

test.each(RECIPES)(
  "$name: every step has a place of its own, and the key, address and model stand in them",
  (recipe) => {
    const parts = { address: "https://gateway.example", key: "sk-secret", model: MODEL, greeting: "Hello!" };
    const steps = recipe.steps(parts);
    const places = steps.map(({ place }) => JSON.stringify(place));
    expect(new Set(places).size).toBe(places.length);
    const text = steps.map(({ code }) => code).join("\n");
    for (const part of ["sk-secret", "https://gateway.example"]) expect(text).toContain(part);
    if (recipe.id !== "open-webui") expect(text).toContain("gpt-4o");
  },
);

test("a model whose name a shell would read is quoted there", () => {
  const [first] = RECIPES;
  const model = { ...MODEL, model: "it's $HOME" };
  const [install, terminal] = first.steps({ address: "https://gateway.example", key: "sk-1", model, greeting: "" });
  expect(terminal?.code).toContain(`export ANTHROPIC_MODEL='it'\\''s $HOME'`);
  expect(install?.code).toContain(`ANTHROPIC_MODEL='it'\\''s $HOME'`);
});

test("one line installs an agent from npm and starts it with the token", () => {
  const lineOf = (client: string) => {
    const recipe = RECIPES.find(({ id }) => id === client) ?? RECIPES[0];
    return recipe.steps({ address: "https://gateway.example", key: "sk-1", model: MODEL, greeting: "" })[0]?.code;
  };
  expect(lineOf("claude-code")).toMatch(
    /^npm install -g @anthropic-ai\/claude-code && env ANTHROPIC_BASE_URL='https:\/\/gateway\.example' .* claude$/,
  );
  expect(lineOf("codex")).toMatch(/^npm install -g @openai\/codex && env \w+='sk-1' codex -c 'model="gpt-4o"' /);
  expect(lineOf("cline")).toBe(
    "npm install -g cline && cline auth -p openai-compatible -k 'sk-1' -m 'gpt-4o' -b 'https://gateway.example/v1' && cline",
  );
});

test.each([
  ["http://localhost:3000", "--network=host"],
  ["http://127.0.0.1:3000", "--network=host"],
  ["http://[::1]:3000", "--network=host"],
  ["https://gateway.example", "-p 8080:8080"],
])("a container of Open WebUI reaches %s and leaves its port alone", (address, network) => {
  const { steps } = RECIPES.find(({ id }) => id === "open-webui") ?? RECIPES[0];
  const [, , terminal] = steps({ address, key: "sk-1", model: MODEL, greeting: "" });
  expect(terminal?.code).toContain(`docker run -d ${network} \\\n`);
  expect(terminal?.code).toContain(`OPENAI_API_BASE_URL='${address}/v1'`);
});
