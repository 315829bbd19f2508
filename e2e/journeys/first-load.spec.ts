import { envelopeSchema } from "@one-api/contract/envelope";
import { type Browser, type BrowserContext, expect, test } from "@playwright/test";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

/**
 * What a first visit loads, on the wire and with headers, files, calls and images alike. Two parts are told apart by the mark
 * "ahead-of-need", which the console sets when the page stands and waits for nothing any more: what came before is what the page
 * needed, what comes after is loaded for later presses. That this is no more than that is shown by the visits below that refuse all
 * of it: the page is used all the same.
 */
const MARK = "ahead-of-need";

/** Adds up how far parts of the page moved by themselves. */
const SUM_OF_SHIFTS = `new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) localStorage.setItem("shift", Number(localStorage.getItem("shift") ?? 0) + value);
}).observe({ type: "layout-shift", buffered: true });`;

test.use({ contextOptions: { reducedMotion: "no-preference" } });

let gateway: Gateway;

test.beforeAll(async () => {
  gateway = await startGateway();
  const root = await logInToGateway(gateway.url);
  await root.send("POST", "/api/channel/", { type: 1, name: "Stub", key: "sk-stub", models: "gpt-4o-mini" });
});
test.afterAll(() => gateway.stop());

interface Load {
  readonly address: string;
  readonly bytes: number;
  /** Asked for before the mark. */
  readonly isNeeded: boolean;
}

/** Opens a page with an empty cache and returns what it loaded, and how far its parts moved by themselves. */
async function measure(context: BrowserContext, path: string, heading: string) {
  const page = await context.newPage();
  await page.addInitScript({ content: SUM_OF_SHIFTS });
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  const asked = new Map<string, { address: string; at: number; bytes: number }>();
  client.on("Network.requestWillBeSent", ({ requestId, request, wallTime }) => {
    if (request.url.startsWith("http")) asked.set(requestId, { address: request.url, at: wallTime * 1_000, bytes: 0 });
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    const load = asked.get(requestId);
    if (load !== undefined) load.bytes += encodedDataLength;
  });
  await page.goto(gateway.url + path);
  await page.getByRole("heading", { name: heading }).first().waitFor();
  await page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, MARK);
  await page.waitForLoadState("networkidle");
  const markedAt = await page.evaluate((mark) => {
    const [entry] = performance.getEntriesByName(mark);
    return performance.timeOrigin + (entry?.startTime ?? 0);
  }, MARK);
  const shift = await page.evaluate(() => Number(localStorage.getItem("shift") ?? 0));
  await page.close();
  const loads = [...asked.values()].map(({ address, at, bytes }): Load => ({
    address,
    bytes,
    isNeeded: at < markedAt,
  }));
  // The icon of the tab is the logo that the page has loaded already.
  const needed = loads.filter(({ isNeeded, address, bytes }) => isNeeded && !(bytes === 0 && address.endsWith(".png")));
  return { loads, needed, bytes: needed.reduce((sum, load) => sum + load.bytes, 0), shift };
}

/** A context in which what a first visit loads ahead of need never comes. */
async function contextWithoutTheRest(browser: Browser, loads: readonly Load[]): Promise<BrowserContext> {
  const context = await browser.newContext();
  const rest = new Set(loads.filter(({ isNeeded }) => !isNeeded).map(({ address }) => address));
  expect(rest.size).toBeGreaterThan(0);
  await context.route(
    (url) => rest.has(url.href) && url.pathname.startsWith("/assets/"),
    (route) => route.abort(),
  );
  return context;
}

async function logIn(context: BrowserContext): Promise<void> {
  await context.request.post(`${gateway.url}/api/user/login`, { data: { username: "root", password: "123456" } });
  const self = await context.request.get(`${gateway.url}/api/user/self`);
  const { data } = envelopeSchema.parse(await self.json());
  await context.addInitScript((user) => localStorage.setItem("user", user), JSON.stringify(data));
}

test("the login page comes in 150 KB, and is used without anything else", async ({ browser }) => {
  const context = await browser.newContext();
  const { loads, needed, bytes, shift } = await measure(context, "/login", "Log in");
  await context.close();
  const list = needed.map((load) => `${load.bytes} ${load.address}`).join("\n");
  expect(needed.length, list).toBeLessThanOrEqual(12);
  expect(bytes, list).toBeLessThanOrEqual(150_000);
  expect(shift).toBeLessThan(0.02);

  const bare = await contextWithoutTheRest(browser, loads);
  const page = await bare.newPage();
  await page.goto(`${gateway.url}/login`);
  await page.getByLabel("Username or email").fill("root");
  await page.getByLabel("Password", { exact: true }).fill("wrong");
  const answer = page.waitForResponse("**/api/user/login");
  await page.getByRole("main").getByRole("button", { name: "Log in", exact: true }).click();
  expect((await answer).ok()).toBe(true);
  await expect(page.getByRole("alert").first()).toBeVisible();
  await bare.close();
});

/** Pages with a heading of each. The ratios bring the price list along, so they may have more. */
const PAGES: readonly (readonly [path: string, heading: string, mostRequests?: number, mostKilobytes?: number])[] = [
  ["/channel", "Channels"],
  ["/token", "Tokens"],
  ["/log", "Logs"],
  ["/user", "Manage users"],
  ["/user/invitation", "Invitations"],
  ["/channel/matrix", "Model matrix"],
  ["/notifications", "Notifications"],
  ["/notifications/deliveries", "Delivery log"],
  ["/management-keys", "Management keys"],
  ["/redemption", "Redemption codes"],
  ["/audit", "Audit"],
  ["/dashboard", "Dashboard"],
  ["/pricing", "Prices"],
  ["/setting", "Settings"],
  ["/setting?tab=operation", "Settings"],
  ["/setting?tab=system", "Settings"],
  ["/setting?tab=other", "Settings"],
  ["/setting/ratios", "Prices", 24, 360],
];

test("every list, the dashboard and the settings come in 20 requests and 350 KB", async ({ browser }) => {
  const over: string[] = [];
  for (const [path, heading, mostRequests = 20, mostKilobytes = 350] of PAGES) {
    const context = await browser.newContext();
    await logIn(context);
    const { needed, bytes, shift } = await measure(context, path, heading);
    await context.close();
    const figures = `${path}: ${Math.round(bytes / 1_000)} KB in ${needed.length} requests, moved by ${shift.toFixed(3)}`;
    console.log(figures);
    if (bytes <= mostKilobytes * 1_000 && needed.length <= mostRequests && shift < 0.04) continue;
    over.push(figures, ...needed.map((load) => `  ${load.bytes} ${load.address}`));
  }
  expect(over).toEqual([]);
});

test("the channels can be read, searched and put in order without what loads ahead of need", async ({ browser }) => {
  const context = await browser.newContext();
  await logIn(context);
  const { loads } = await measure(context, "/channel", "Channels");
  await context.close();

  const bare = await contextWithoutTheRest(browser, loads);
  await logIn(bare);
  const page = await bare.newPage();
  await page.goto(`${gateway.url}/channel`);
  await expect(page.getByRole("link", { name: "Stub" })).toBeVisible();
  const priority = page.getByRole("textbox", { name: "Priority of Stub" });
  await priority.fill("3");
  const saved = page.waitForResponse("**/api/channel/");
  await priority.press("Enter");
  expect((await saved).ok()).toBe(true);
  const searched = page.waitForResponse("**/api/channel/search?*");
  await page.getByRole("searchbox").fill("Stu");
  expect((await searched).ok()).toBe(true);
  await expect(page.getByRole("link", { name: "Stub" })).toBeVisible();
  await bare.close();
});
