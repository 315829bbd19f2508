import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { type StubServer, startStubServer } from "@one-api/stub-server/start-stub-server";
import { expect, type Page, test } from "@playwright/test";
import OpenAI from "openai";
import { z } from "zod";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

const MODEL = "gpt-4o-mini";
const EMBEDDING_MODEL = "text-embedding-3-small";
const tokensSchema = z.array(z.object({ name: z.string(), remain_quota: z.number(), used_quota: z.number() }));
const logsSchema = z.array(
  z.object({
    type: z.number(),
    model_name: z.string(),
    quota: z.number(),
    prompt_tokens: z.number(),
    completion_tokens: z.number(),
  }),
);
const CONSUMPTION = 2;

test.use({ contextOptions: { reducedMotion: "no-preference" } });

let upstream: StubServer;
let gateway: Gateway;

test.beforeAll(async () => {
  upstream = await startStubServer({ behaviour: { kind: "normal", chunkDelayMs: 60 } });
  gateway = await startGateway();
  const root = await logInToGateway(gateway.url);
  await root.send("PUT", "/api/option/", { key: "DisplayInCurrencyEnabled", value: "false" });
});

test.afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Runs a program where the libraries of the product are, and returns what it prints. */
async function runTypeScript(code: string, environment: Record<string, string>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module-typescript", "--eval", code], {
    cwd: import.meta.dirname,
    env: { ...process.env, ...environment },
  });
  return stdout;
}

async function logIn(page: Page): Promise<void> {
  await page.goto(`${gateway.url}/login`);
  await page.getByLabel("Username or email").fill("root");
  await page.getByRole("textbox", { name: "Password" }).fill("123456");
  // The page behind the login asks who this is; until it knows, the login is not over.
  const self = page.waitForResponse((response) => response.url().endsWith("/api/user/self"));
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page).toHaveURL(/\/user\/edit$/);
  await self;
}

test("[START-01..04] from the first login to a booked call", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));

  await test.step("root logs in and is told to change the default password", async () => {
    await logIn(page);
    await expect(page.getByText("Please change the default password immediately!")).toBeVisible();
  });

  await test.step("adds a channel and tests it from its row", async () => {
    await page.getByRole("link", { name: "Channel", exact: true }).click();
    await page
      .getByRole("link", { name: /^Add (the first )?channel$/ })
      .first()
      .click();
    await page.getByRole("textbox", { name: "Name" }).fill("Stub provider");
    await page.getByRole("textbox", { name: "Key" }).fill("sk-stub");
    await page.getByLabel("Base URL").fill(`${upstream.at("openai")}/`);
    const models = page.getByLabel("Models of this channel");
    // Those of the type are filled in.
    await expect(page.getByText(/models selected$/)).toBeVisible();
    await page.getByRole("button", { name: "Clear", exact: true }).click();
    for (const model of [MODEL, EMBEDDING_MODEL]) {
      await models.fill(model);
      await models.press("Enter");
    }
    await models.press("Escape");
    await page.getByRole("button", { name: "Create channel", exact: true }).click();
    await expect(page).toHaveURL(/\/channel(\?|$)/);
    const row = page.getByRole("row", { name: /Stub provider/ });
    await row.getByRole("button", { name: /^Test/ }).first().click();
    await expect(page.getByText(new RegExp(`Channel test success: ${MODEL}, [\\d.]+ s`))).toBeVisible();
    await expect(row.getByText("untested")).toHaveCount(0);
  });

  const key = await test.step("creates a token and copies its key", async () => {
    await page.getByRole("link", { name: "Token", exact: true }).click();
    await page
      .getByRole("link", { name: /^(Add token|Create your first token)$/ })
      .first()
      .click();
    await page.getByRole("textbox", { name: "Name" }).fill("Journey");
    await page.getByRole("button", { name: "Create token", exact: true }).click();
    await expect(page).toHaveURL(/\/token(\?|$)/);
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    const row = page.getByRole("row", { name: /Journey/ });
    await row.getByRole("button", { name: "More actions for Journey", exact: true }).click();
    await page.getByRole("menuitem", { name: "Copy “name key”" }).click();
    const line = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(line).toMatch(/^Journey----sk-[A-Za-z0-9]{48}$/);
    return line.replace("Journey----", "");
  });

  await test.step("the official SDK gets an answer, a stream piece by piece, an embedding and the models", async () => {
    const sdk = new OpenAI({ apiKey: key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
    const chat = await sdk.chat.completions.create({ model: MODEL, messages: [{ role: "user", content: "hello" }] });
    expect(chat.choices[0]?.message.content).toBe("You said: hello");
    const arrivals: number[] = [];
    for await (const chunk of await sdk.chat.completions.create({
      model: MODEL,
      stream: true,
      messages: [{ role: "user", content: "one two three four five six" }],
    })) {
      if (chunk.choices[0]?.delta.content) arrivals.push(performance.now());
    }
    expect(arrivals.length).toBeGreaterThan(5);
    expect((arrivals.at(-1) ?? 0) - (arrivals[0] ?? 0)).toBeGreaterThan(60 * 3);
    const embedding = await sdk.embeddings.create({ model: EMBEDDING_MODEL, input: "hello" });
    expect(embedding.data[0]?.embedding).toHaveLength(1536);
    expect((await sdk.models.list()).data.map(({ id }) => id)).toEqual([MODEL, EMBEDDING_MODEL]);
  });

  await test.step("the log shows the calls and the token's quota fell by exactly their cost", async () => {
    const root = await logInToGateway(gateway.url);
    const logs = logsSchema.parse(await root.get("/api/log/")).filter(({ type }) => type === CONSUMPTION);
    expect(logs.map(({ model_name }) => model_name)).toEqual([EMBEDDING_MODEL, MODEL, MODEL]);
    const spent = logs.reduce((sum, { quota }) => sum + quota, 0);
    const [token] = tokensSchema.parse(await root.get("/api/token/"));
    expect(token).toMatchObject({ remain_quota: 500_000 - spent, used_quota: spent });

    await page.getByRole("link", { name: "Log", exact: true }).click();
    await expect(page.getByRole("row", { name: new RegExp(EMBEDDING_MODEL) })).toHaveCount(1);
    await expect(page.getByRole("row", { name: new RegExp(`${MODEL}.*Journey|Journey.*${MODEL}`) })).toHaveCount(2);
    for (const { model_name, prompt_tokens, quota } of logs) {
      await expect(
        page.getByRole("row", { name: new RegExp(`${model_name}.*${prompt_tokens}.*${quota}`) }).first(),
      ).toBeVisible();
    }
    await page.getByRole("link", { name: "Token", exact: true }).click();
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByRole("row", { name: /Journey/ })).toContainText(String(spent));
  });

  await test.step("asks in the playground, sees what the answer cost, and runs the same as code", async () => {
    await page.getByRole("link", { name: "Playground", exact: true }).click();
    const message = page.getByRole("textbox", { name: "Message" });
    await message.fill("one two three");
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByRole("article", { name: MODEL }).getByText("You said: one two three")).toBeVisible();
    const root = await logInToGateway(gateway.url);
    await expect(page.getByRole("link", { name: /^\d+$/ })).toHaveAttribute("href", /^\/log\?open=\d+$/);
    const [newest] = logsSchema.parse(await root.get("/api/log/"));
    await expect(page.getByRole("link", { name: String(newest?.quota), exact: true })).toBeVisible();
    expect(page.url() + (await page.evaluate<string>("JSON.stringify(localStorage)"))).not.toContain(key.slice(3));

    await page.getByRole("button", { name: "View code", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "View code" });
    for (const language of ["TypeScript", "Anthropic"]) {
      await dialog.getByRole("button", { name: language }).click();
      await dialog.getByRole("button", { name: "Copy code" }).click();
      const code = await page.evaluate<string>("navigator.clipboard.readText()");
      expect(await runTypeScript(code, { ONE_API_KEY: key })).toContain("You said: one two three");
    }
    await page.keyboard.press("Escape");
  });

  await test.step("takes the lines for a client, whose key is shown short, and they work as pasted", async () => {
    await page.getByRole("link", { name: "Token", exact: true }).click();
    await page.getByRole("link", { name: "Connect a client" }).click();
    await page.getByRole("button", { name: "Vercel AI SDK" }).click();
    await page.getByRole("button", { name: "Copy for Vercel AI SDK: Program" }).click();
    const code = await page.evaluate<string>("navigator.clipboard.readText()");
    expect(await runTypeScript(code, { ONE_API_KEY: key })).toContain("You said: Hello!");
    await page.getByRole("button", { name: "Copy for Vercel AI SDK: Terminal" }).click();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toContain(key);
    expect(page.url() + (await page.content())).not.toContain(key.slice(3));
  });

  expect(complaints).toEqual([]);
});

test("an expired session keeps the address and says why", async ({ page, context }) => {
  await logIn(page);
  // Otherwise a call of this page could be the one that finds the session gone.
  await page.goto("about:blank");
  await context.clearCookies();
  await page.goto(`${gateway.url}/token`);
  await expect(page.getByText("Not logged in or login expired, please log in again!")).toBeVisible();
});

test("an unknown page says so", async ({ page }) => {
  await page.goto(`${gateway.url}/nowhere`);
  await expect(page.getByText("Page does not exist. Please check your browser address")).toBeVisible();
});
