import { tokenSchema } from "@one-api/contract/token";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import { expect, type Page, type Request, test } from "@playwright/test";
import axe from "axe-core";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";
import { fewLooksAt, type Look, looksAt, OPENED_LOOKS, showsEveryLook } from "./looks.ts";

/** What is there before anybody logs in, and is come to from mails and links elsewhere. */
const VISITORS_PAGES = [
  "/login?expired=true",
  "/register?aff=Friend12",
  "/reset",
  "/user/reset?email=a%40b.example&token=x",
];

/** What everybody may see. */
const OPEN_PAGES = ["/", "/oauth/github", "/about", "/chat", "/pricing", "/status", "/nowhere"];

const ROOTS_PAGES = [
  "/token",
  "/token/add",
  "/playground",
  "/recipes",
  "/redemption",
  "/redemption/add",
  "/redemption/edit/1",
  "/topup",
  "/user",
  "/user/add",
  "/user/2",
  "/user/edit/2",
  "/user/invitation",
  "/user/invitation/add",
  "/user/edit",
  "/audit",
  "/system",
  "/what-if",
  "/notifications",
  "/notifications/add",
  "/notifications/deliveries",
  "/setting?tab=personal",
  "/setting?tab=system",
  "/",
  "/channel",
  "/channel/matrix",
  "/channel/add",
  "/channel/edit/1",
  "/channel/1",
  "/token/edit/1",
  "/log",
  "/setting?tab=operation",
  "/setting?tab=operation&section=limits",
  "/setting/ratios",
  "/setting?tab=other",
  "/pricing",
  "/dashboard?by=user&metric=margin",
  "/status",
];

/** What others than root see differently. */
const PAGES_OF = {
  grace: ["/token", "/log", "/dashboard", "/topup", "/playground", "/user/edit", "/setting", "/channel"],
  linus: ["/channel", "/user", "/log", "/redemption", "/setting?tab=operation", "/setting?tab=system"],
} as const;

const PASSWORDS = { root: "123456", grace: "a good password", linus: "a good password" } as const;

let gateway: Gateway;
/** A visitor's first, then root's and others', for all tests: what it has loaded once stays. */
let page: Page;
/** What the page has asked for and waits for. */
const awaited = new Set<Request>();
/** What the browser complained of in the test that runs: errors, and what the content security policy refused. */
const complaints: string[] = [];

test.beforeAll(async ({ browser }) => {
  const upstream = await startStubServer();
  gateway = await startGateway();
  const root = await logInToGateway(gateway.url);
  await root.send("POST", "/api/channel/", {
    type: 1,
    name: "Stub",
    key: "sk-stub",
    base_url: upstream.at("openai"),
    models: "gpt-4o-mini",
  });
  // More channels of the model than the list of shares in the form shows at once.
  const shared = { type: 1, base_url: upstream.at("openai"), models: "gpt-4o-mini", key: "sk-stub", status: 2 };
  for (let channel = 2; channel <= 8; channel += 1)
    await root.send("POST", "/api/channel/", { ...shared, name: `Shared ${channel}` });
  await root.get("/api/channel/test/1");
  await root.send("POST", "/api/token/", { name: "First" });
  const { key } = tokenSchema.parse(await root.get("/api/token/1"));
  const called = await fetch(`${gateway.url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "Hello" }] }),
  });
  await called.text();
  await root.send("POST", "/api/redemption/", { name: "Gift" });
  await root.send("POST", "/api/invitation/", { name: "Ada" });
  for (const username of ["grace", "linus"] as const) {
    await root.send("POST", "/api/user/", { username, password: PASSWORDS[username] });
  }
  await root.send("POST", "/api/user/manage", { username: "linus", action: "promote" });
  await root.send("PUT", "/api/option/", { key: "StatusPageEnabled", value: "true" });
  await upstream.close();
  page = await (await browser.newContext()).newPage();
  await page.addInitScript({ content: axe.source });
  page.on("request", (request) => {
    // Nobody waits any more for what the page before has asked for.
    if (request.isNavigationRequest()) awaited.clear();
    awaited.add(request);
  });
  page.on("requestfinished", (request) => void awaited.delete(request));
  page.on("requestfailed", (request) => void awaited.delete(request));
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
});

test.beforeEach(() => void complaints.splice(0));

test.afterEach(() => expect(complaints).toEqual([]));

test.afterAll(async () => {
  await page.context().close();
  await gateway.stop();
});

/** What axe is told to look for. The size of what is pressed it looks at only when it is told to. */
const AXE_RULES = {
  all: { rules: { "target-size": { enabled: true } } },
  colours: { runOnly: { type: "rule", values: ["color-contrast"] } },
};

/** What the button that leads to a language is called. */
const LANGUAGES = { en: "English", "zh-CN": "简体中文" } as const;

/** Opens each page once and shows it in each of its ways. */
function expectNoBarriersOn(paths: readonly string[], looksOf: typeof looksAt): void {
  for (const [place, path] of paths.entries())
    test(`${path} has no serious barrier and no sideways scroll`, () => expectNoBarriers(path, looksOf(path, place)));
}

const meets = (looks: readonly Look[], ...names: readonly (keyof Look)[]) =>
  new Set(looks.map((look) => names.map((name) => look[name]).join())).size;

test("each page is shown in every language, scheme and width, to axe but in the middle one, and all together in every look", () => {
  const walk = ROOTS_PAGES.map((path, place) => looksAt(path, place));
  for (const looks of walk) {
    const seen = looks.filter((look) => look.axe !== undefined);
    const ways = [meets(looks, "width"), meets(seen, "language"), meets(seen, "colorScheme"), meets(seen, "width") > 1];
    expect(ways).toEqual([3, 2, 2, true]);
  }
  expect(meets(walk.flat(), "language", "colorScheme", "width")).toBe(12);
});

expectNoBarriersOn(VISITORS_PAGES, looksAt);
expectNoBarriersOn(OPEN_PAGES, fewLooksAt);

const press = (name: string | RegExp) => page.getByRole("button", { name }).click();
const chooseInRow = async (row: string, item: string) => {
  await press(`More actions for ${row}`);
  await page.getByRole("menuitem", { name: item }).click();
};
/** What listens for keys loads when the page is idle. */
const openByKey = (key: string) =>
  expect(async () => {
    await page.keyboard.press(key);
    await page.getByRole("dialog").waitFor({ timeout: 2_000 });
  }).toPass();
const selectFirst = (row: string) => page.getByRole("checkbox", { name: `Select ${row}` }).check();

/** What opens over a page, and how; of questions before a deletion, which all look alike, one. */
const OPENINGS: readonly (readonly [what: string, path: string, open: () => Promise<unknown>])[] = [
  ["the palette", "/channel", () => openByKey("Control+k")],
  ["the list of keys", "/channel", () => openByKey("?")],
  ["the share of a channel's requests", "/channel", () => chooseInRow("Stub", "Share of requests")],
  ["the question before a channel is deleted", "/channel", () => chooseInRow("Stub", "Delete")],
  ["the form for many channels", "/channel", () => selectFirst("Stub").then(() => press("Edit…"))],
  ["the form that adds balance", "/user/2", () => press("Add balance")],
  ["the alert of a chart", "/dashboard", () => press(/^Set an alert$/)],
  ["a request's story", "/log", () => page.getByRole("row").nth(1).getByRole("button").first().click()],
  [
    "the form for a view",
    "/log?type=2",
    () => press("Views").then(() => page.getByRole("menuitem", { name: "Save this view…" }).click()),
  ],
];

test.describe("as root", () => {
  test.beforeEach(() => become("root"));

  expectNoBarriersOn(ROOTS_PAGES, looksAt);

  test("what a row's menu offers can be read in light and dark, under the pointer too", async () => {
    await open("/channel");
    await show({ language: "en", colorScheme: "light", width: 1440 });
    await press("More actions for Stub");
    for (const colorScheme of ["light", "dark"] as const) {
      await show({ language: "en", colorScheme, width: 1440 });
      for (const name of ["Share of requests", "Delete"]) {
        await page.getByRole("menuitem", { name }).hover();
        expect(await seriousBarriers("colours"), `${name}, ${colorScheme}`).toEqual([]);
      }
    }
    await page.keyboard.press("Escape");
    await expect(page.getByRole("menu")).toHaveCount(0);
  });

  for (const [what, path, openIt] of OPENINGS) {
    test(`${what} has no serious barrier, wide in English and narrow in Chinese`, async () => {
      await open(path);
      await show(OPENED_LOOKS[0]);
      await openIt();
      await page.getByRole("dialog").waitFor();
      for (const look of OPENED_LOOKS) {
        await expectNoBarriersIn(look);
        await expect(page.getByRole("dialog")).toBeVisible();
      }
      await page.keyboard.press("Escape");
      await expect(page.getByRole("dialog")).toHaveCount(0);
    });
  }
});

for (const name of ["grace", "linus"] as const) {
  test.describe(`as ${name === "grace" ? "a user" : "an administrator"}`, () => {
    test.beforeEach(() => become(name));

    expectNoBarriersOn(PAGES_OF[name], fewLooksAt);
  });
}

/** Who has logged in. After a failure the browser is another one, which nobody has logged in with. */
let who: keyof typeof PASSWORDS | undefined;

async function become(name: keyof typeof PASSWORDS): Promise<void> {
  if (who === name) return;
  await page.setViewportSize({ width: 1440, height: 800 });
  // A page that asks for nothing, while the one before is still somebody's.
  await page.goto(`${gateway.url}/api/status`);
  await page.context().clearCookies();
  await page.evaluate('localStorage.removeItem("user")');
  await page.goto(`${gateway.url}/login`);
  if ((await languageShown()) !== "en") await page.getByRole("button", { name: LANGUAGES.en }).click();
  await page.getByLabel("Username or email").fill(name);
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORDS[name]);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page).toHaveURL(name === "root" ? /\/user\/edit$/ : /\/token$/);
  who = name;
}

const languageShown = () => page.locator("html").getAttribute("lang");

/**
 * Opens a page of the console as its links do, without loading all of it anew; and by its address when somebody comes from elsewhere, when
 * only the search differs, which may lead to a part of the same page, or when all is looked at. A page that is there stays.
 */
async function open(path: string): Promise<void> {
  const from = new URL(page.url());
  const to = new URL(path, gateway.url);
  const isThere = from.href === to.href;
  const isOtherPage = from.origin === to.origin && from.pathname !== to.pathname;
  if (showsEveryLook || VISITORS_PAGES.includes(path) || !(isThere || isOtherPage)) {
    await page.goto(to.href);
  } else if (isOtherPage) {
    // Who has just logged in has the address of a page before its heading.
    await page.locator("h1").waitFor();
    await page.evaluate(
      `document.querySelector("h1").dataset.left = ""; history.pushState({}, "", ${JSON.stringify(path)})`,
    );
  }
  await page.locator("h1:not([data-left])").waitFor();
  await expectNothingAwaited();
}

/** The page has all that it asked for, and asks for nothing more once it has drawn that. */
const expectNothingAwaited = () =>
  expect(async () => {
    await page.evaluate("new Promise((resolve) => requestIdleCallback(resolve, { timeout: 200 }))");
    expect([...awaited].map((request) => request.url())).toEqual([]);
    expect(await page.locator("[aria-busy=true]").count()).toBe(0);
  }).toPass();

async function expectNoBarriers(path: string, looks: readonly Look[]): Promise<void> {
  await open(path);
  // The language that the page before was left in comes first.
  const first = await languageShown();
  const isFirst = ({ language }: Look) => language === first;
  for (const look of [...looks.filter(isFirst), ...looks.filter((one) => !isFirst(one))]) {
    await expectNoBarriersIn(look);
  }
}

/** A bar at the edge covers fields and rows, which people scroll from under it. Axe would find them too small. */
const unstick = `
  for (const part of document.querySelectorAll("form *, main *"))
    if (getComputedStyle(part).position === "sticky") part.style.position = "static";`;

/** Shows the page in this way, with what is open over it. */
async function expectNoBarriersIn(look: Look): Promise<void> {
  await show(look);
  const name = `${look.language}, ${look.colorScheme}, ${look.width} px`;
  await page.evaluate(unstick);
  if (look.axe !== undefined) expect(await seriousBarriers(look.axe), name).toEqual([]);
  expect(await page.evaluate(howFarSideways), name).toBeLessThanOrEqual(0);
  expect(await page.evaluate(lowTargetsInRows), name).toEqual([]);
}

async function show({ language, colorScheme, width }: Look): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.setViewportSize({ width, height: 800 });
  await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
  const shown = await languageShown();
  // What is open over the page would take a click; a narrow page has the button twice, once unseen.
  const button = page.getByRole("button", { name: LANGUAGES[language], includeHidden: true }).first();
  if (shown !== language) await button.dispatchEvent("click");
  await expect(page.locator("html")).toHaveAttribute("lang", language);
  await expectNothingAwaited();
}

/** Of the page, and of what is open over it. */
const howFarSideways = `Math.max(
  ...[document.documentElement, ...document.querySelectorAll("[role=dialog]")].map((one) => one.scrollWidth - one.clientWidth)
)`;

/** What is pressed in rows of lists and is less than 24 px high, though all its neighbours are far enough for axe. */
const lowTargetsInRows = `[...document.querySelectorAll("[data-row] :is(a, button)")]
  .map((one) => [one.getBoundingClientRect().height, one.ariaLabel ?? one.textContent])
  .filter(([height]) => height > 0 && height < 24)
  .map(([height, name]) => name + ": " + height + " px")`;

/** What axe finds, without the toasts, each as its rule and where. */
function seriousBarriers(rules: keyof typeof AXE_RULES = "all"): Promise<string[]> {
  const options = JSON.stringify({ resultTypes: ["violations"], ...AXE_RULES[rules] });
  return page.evaluate<string[]>(`axe
    .run({ exclude: [".mantine-Notifications-root"] }, ${options})
    .then(({ violations }) => violations.filter(({ impact }) => impact === "serious" || impact === "critical"))
    .then((found) => found.map(({ id, nodes }) => id + ": " + nodes.map(({ target }) => target[0]).join(" | ")))`);
}
