import path from "node:path";
import { logSchema } from "@one-api/contract/logs/log";
import { tokenSchema } from "@one-api/contract/token";
import { type StubServer, startStubServer } from "@one-api/stub-server/start-stub-server";
import { expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { type GatewayClient, logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

const PASSWORD = "a password of the tour";
const DAY_SECONDS = 86_400;

/** The looks of every photo: wide, light and English; narrow, dark and Chinese. */
const LOOKS = [
  { language: "en", button: "English", colorScheme: "light", width: 1440, height: 900 },
  { language: "zh-CN", button: "简体中文", colorScheme: "dark", width: 360, height: 800 },
] as const;

/** An answer, or a refusal, to a chat. */
interface ChatAnswer {
  readonly status: number;
  readonly requestId: string;
  /** Empty unless another model than the requested one answered. */
  readonly servedModel: string;
  readonly text: string;
}

interface Question {
  readonly model: string;
  readonly content?: string;
  readonly stream?: boolean;
  /** Further fields of the body. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A real gateway process with providers, and a browser in which root is logged in. */
export interface Stage {
  readonly gateway: Gateway;
  readonly root: GatewayClient;
  readonly page: Page;
  provider(): Promise<StubServer>;
  setOption(key: string, value: unknown): Promise<void>;
  /** Creates a channel and returns its id. Fields of the call are added to `name`, `models` and an address. */
  addChannel(name: string, fields: Readonly<Record<string, unknown>>): Promise<number>;
  addToken(name: string, fields?: Readonly<Record<string, unknown>>): Promise<string>;
  ask(key: string, question: Question): Promise<ChatAnswer>;
  /** The log entry of a request, as soon as it is there. */
  entryOf(requestId: string): Promise<z.infer<typeof logSchema>>;
  /** The gateway's time in Unix seconds. */
  now(): Promise<number>;
  /** Moves the gateway's time of day one day ahead. */
  skipDay(): Promise<void>;
  open(address: string): Promise<void>;
  /** Photographs the screen with its overlays, in every look. */
  photograph(name: string): Promise<void>;
}

interface StageOptions {
  /** Speed of the gateway's clock and timers. */
  readonly clockRate: number;
}

export const tour = test.extend<StageOptions & { stage: Stage }>({
  clockRate: [1, { option: true }],
  stage: async ({ page, clockRate }, provide, { file }) => {
    const gateway = await startGateway(undefined, undefined, {
      ROOT_PASSWORD: PASSWORD,
      NODE_OPTIONS: `--import=${new URL("steered-clock.ts", import.meta.url).href}`,
      CLOCK_RATE: String(clockRate),
      // Waits for the database seem longer, too, and are reported.
      ...(clockRate > 1 && { LOG_LEVEL: "fatal" }),
      CLOCK_JUMP_SECONDS: String(DAY_SECONDS),
    });
    const providers: StubServer[] = [];
    try {
      let client = await logInToGateway(gateway.url, "root", PASSWORD);
      const root: GatewayClient = { get: (address) => client.get(address), send: (...call) => client.send(...call) };
      await logIn(page, gateway.url);
      const clock = clockOf(gateway);
      await provide({
        gateway,
        root,
        page,
        provider: async () => {
          const provider = await startStubServer();
          providers.push(provider);
          return provider;
        },
        ...callsOf(gateway, root),
        now: clock.now,
        skipDay: async () => {
          await clock.skipDay();
          // Idle sessions have ended.
          client = await logInToGateway(gateway.url, "root", PASSWORD);
          await page.context().clearCookies();
          await logIn(page, gateway.url);
        },
        ...cameraOf(gateway, page, path.basename(file, ".tour.ts")),
      });
    } finally {
      await gateway.stop();
      await Promise.all(providers.map((provider) => provider.close()));
    }
  },
});

async function logIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/login?expired=true`);
  await page.getByLabel("Username or email").fill("root");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page).not.toHaveURL(/\/login/);
}

function callsOf(gateway: Gateway, root: GatewayClient) {
  return {
    setOption: async (key: string, value: unknown) => {
      await root.send("PUT", "/api/option/", {
        key,
        value: typeof value === "string" ? value : JSON.stringify(value),
      });
    },
    addChannel: async (name: string, fields: Readonly<Record<string, unknown>>) => {
      const created = await root.send("POST", "/api/channel/", { type: 1, name, key: `sk-${name}`, ...fields });
      const [id = 0] = z.object({ ids: z.array(z.number()) }).parse(created).ids;
      return id;
    },
    addToken: async (name: string, fields: Readonly<Record<string, unknown>> = {}) => {
      const limits = { unlimited_quota: true, rpm_limit: 0, tpm_limit: 0 };
      const { key } = tokenSchema.parse(await root.send("POST", "/api/token/", { name, ...limits, ...fields }));
      return `sk-${key}`;
    },
    ask: async (key: string, { model, content = "count with me", stream = false, fields = {} }: Question) => {
      const answer = await fetch(`${gateway.url}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ model, stream, messages: [{ role: "user", content }], max_tokens: 100, ...fields }),
      });
      return {
        status: answer.status,
        requestId: answer.headers.get("x-request-id") ?? "",
        servedModel: answer.headers.get("x-served-model") ?? "",
        text: await answer.text(),
      };
    },
    entryOf: async (requestId: string) => {
      const find = () => root.get(`/api/log/request/${requestId}`);
      await expect.poll(find).not.toBeNull();
      return logSchema.parse(await find());
    },
  };
}

function clockOf(gateway: Gateway) {
  const now = async () => Date.parse((await fetch(`${gateway.url}/livez`)).headers.get("date") ?? "") / 1_000;
  return {
    now,
    skipDay: async () => {
      const before = await now();
      process.kill(gateway.pid, "SIGUSR2");
      await expect.poll(now).toBeGreaterThanOrEqual(before + DAY_SECONDS);
    },
  };
}

function cameraOf(gateway: Gateway, page: Page, part: string) {
  const folder = process.env["TOUR_PHOTOS"] ?? "test-results/photos";
  const { now } = clockOf(gateway);
  let count = 0;
  return {
    open: async (address: string) => {
      // The next second: the newest entries are not ahead of it.
      await page.clock.setFixedTime(((await now()) + 1) * 1_000);
      await page.goto(gateway.url + address);
      await page.locator("h1").waitFor();
    },
    photograph: async (name: string) => {
      count += 1;
      for (const look of LOOKS) {
        await show(page, look);
        const { sideways, height } = sizeSchema.parse(await page.evaluate(SIZE_OF_PAGE));
        expect(sideways, `${name} does not scroll sideways at ${look.width} px`).toBeLessThanOrEqual(0);
        // The whole page fits the window, so nothing sticks in its middle.
        await page.setViewportSize({ width: look.width, height: Math.max(look.height, height) });
        const file = `${part}-${count}-${name}.${look.language}-${look.width}.png`;
        await page.screenshot({ path: path.join(folder, file) });
      }
      await show(page, LOOKS[0]);
    },
  };
}

const sizeSchema = z.object({ sideways: z.number(), height: z.number() });

/** A dialog covers the window, and what it covers does not count. */
const SIZE_OF_PAGE = `(({ scrollWidth, clientWidth, scrollHeight }) => ({
  sideways: scrollWidth - clientWidth,
  height: document.querySelector("[role=dialog]") === null ? scrollHeight : 0,
}))(document.documentElement)`;

async function show(page: Page, look: (typeof LOOKS)[number]): Promise<void> {
  await page.emulateMedia({ colorScheme: look.colorScheme });
  await page.setViewportSize({ width: look.width, height: look.height });
  const html = page.locator("html");
  await expect(html).toHaveAttribute("data-mantine-color-scheme", look.colorScheme);
  // An overlay would take a click; a narrow page has the button twice, once unseen.
  const button = page.getByRole("button", { name: look.button, includeHidden: true }).first();
  if ((await html.getAttribute("lang")) !== look.language) await button.dispatchEvent("click");
  await expect(html).toHaveAttribute("lang", look.language);
  await page.waitForLoadState("networkidle");
  await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
}
