import type { CDPSession, Locator, Page } from "@playwright/test";

interface PressResult {
  /** From the press to the next paint after its handlers, as Event Timing reports it (in steps of 8 ms). */
  readonly paintMs: number;
  /** From the press until its result is painted; undefined where the first paint shows it. */
  readonly shownMs?: number | undefined;
  /** CPU time of the page's main thread until it has nothing to do: it depends less on what else the machine does. */
  readonly cpuMs: number;
}

interface Press {
  readonly name: string;
  measure(
    page: Page,
    url: string,
    times: number,
    slowDown: (page: Page) => Promise<void>,
    report: (result: PressResult) => void,
  ): Promise<void>;
}

/** Notes the longest interaction and the moment of the last press. */
const WATCH_PRESSES = `
window.bench = { longest: 0, pressedAt: 0 };
new PerformanceObserver((list) => {
  for (const { interactionId, duration } of list.getEntries())
    if (interactionId > 0) window.bench.longest = Math.max(window.bench.longest, duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });
for (const type of ["pointerup", "keydown"])
  addEventListener(type, ({ timeStamp }) => { window.bench.pressedAt = timeStamp; }, { capture: true });
`;

async function settle(page: Page): Promise<void> {
  await page.waitForTimeout(500);
  await page.evaluate("new Promise((resolve) => requestIdleCallback(() => resolve(), { timeout: 5_000 }))");
  await page.waitForTimeout(100);
}

/** Resolves with the time since the press, once the page shows its result and is painted. */
const timeSincePress = (isShown: string) => `new Promise((resolve, reject) => {
  const look = () => {
    if (performance.now() - window.bench.pressedAt > 20_000) return reject(new Error("The press shows nothing."));
    if (!(${isShown})) return requestAnimationFrame(look);
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => resolve(performance.now() - window.bench.pressedAt);
    port2.postMessage(0);
  };
  requestAnimationFrame(look);
})`;

/** Presses with the pointer already there, and measures. */
async function press(page: Page, target: Locator, isShown?: string): Promise<PressResult> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error("There is nothing to press.");
  await page.mouse.move(box.x + Math.min(box.width / 2, 40), box.y + box.height / 2);
  await settle(page);
  return await act(page, () => page.mouse.click(box.x + Math.min(box.width / 2, 40), box.y + box.height / 2), isShown);
}

async function readCpuMs(page: Page): Promise<number> {
  const client = await clientOf(page);
  const { metrics } = await client.send("Performance.getMetrics");
  return 1_000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0);
}

const clients = new WeakMap<Page, CDPSession>();

async function clientOf(page: Page): Promise<CDPSession> {
  const known = clients.get(page);
  if (known !== undefined) return known;
  const client = await page.context().newCDPSession(page);
  await client.send("Performance.enable", { timeDomain: "threadTicks" });
  clients.set(page, client);
  return client;
}

async function act(page: Page, action: () => Promise<void>, isShown?: string): Promise<PressResult> {
  await page.evaluate("window.bench.longest = 0");
  const before = await readCpuMs(page);
  await action();
  const shownMs = isShown === undefined ? undefined : await page.evaluate<number>(timeSincePress(isShown));
  await settle(page);
  const cpuMs = (await readCpuMs(page)) - before;
  return { paintMs: await page.evaluate<number>("window.bench.longest"), shownMs, cpuMs };
}

async function open(page: Page, address: string, content: string, slowDown: (page: Page) => Promise<void>) {
  await page.addInitScript({ content: WATCH_PRESSES });
  await page.goto(address);
  await page.locator(content).first().waitFor();
  await page.waitForLoadState("networkidle");
  await slowDown(page);
  await settle(page);
}

const ROW = "tbody [data-row]";
const text = (value: unknown) => JSON.stringify(value);

/** Opens entries of the log one after the other; the sheet closes between them or not. */
function openingRows(size: number, isClosedBetween: boolean): Press["measure"] {
  return async (page, url, times, slowDown, report) => {
    await open(page, `${url}/log?size=${size}`, ROW, slowDown);
    for (let time = 0; time <= times; time += 1) {
      const row = page.locator(ROW).nth(time % 5);
      const key = await row.getAttribute("data-row");
      const isShown = `location.search.includes("open=${key}") && document.querySelector('[data-row="${key}"][aria-current]') !== null && document.querySelector("[data-sheet] h2, [role=dialog] h2, [role=complementary] h2, aside h2") !== null`;
      const result = await press(page, row, isShown);
      // The first press loads the sheet's code in a browser that had no time for it.
      if (time > 0) report(result);
      if (!isClosedBetween) continue;
      await page.keyboard.press("Escape");
      await settle(page);
    }
  };
}

function nextPages(size: number): Press["measure"] {
  return async (page, url, times, slowDown, report) => {
    await open(page, `${url}/log?size=${size}`, ROW, slowDown);
    for (let time = 0; time < times; time += 1) {
      const before = await page.locator(ROW).first().getAttribute("data-row");
      const isShown = `document.querySelector(${text(ROW)})?.dataset.row !== ${text(before)}`;
      report(await press(page, page.getByRole("button", { name: "Next page" }), isShown));
    }
  };
}

function typing(path: string, content: string, field: (page: Page) => Locator): Press["measure"] {
  return async (page, url, times, slowDown, report) => {
    await open(page, url + path, content, slowDown);
    await field(page).first().click();
    await settle(page);
    for (let time = 0; time < times; time += 1) report(await act(page, () => page.keyboard.press("a")));
  };
}

function pressing(path: string, content: string, target: (page: Page, time: number) => Locator): Press["measure"] {
  return async (page, url, times, slowDown, report) => {
    await open(page, url + path, content, slowDown);
    for (let time = 0; time < times; time += 1) {
      report(await press(page, target(page, time)));
      await page.keyboard.press("Escape");
      await settle(page);
    }
  };
}

const FORM = "main form input";

/** Presses that people make all day. */
export const PRESSES: readonly Press[] = [
  { name: "press: log row, 20 rows", measure: openingRows(20, true) },
  { name: "press: log row, 100 rows", measure: openingRows(100, true) },
  { name: "press: another log row beside the sheet", measure: openingRows(20, false) },
  { name: "press: next page of 20", measure: nextPages(20) },
  { name: "press: next page of 50", measure: nextPages(50) },
  { name: "press: next page of 100", measure: nextPages(100) },
  {
    name: "press: row menu of channels",
    measure: pressing("/channel", ROW, (page) => page.getByRole("button", { name: /^More actions/ }).first()),
  },
  {
    name: "press: box of a channel",
    measure: pressing("/channel", ROW, (page, time) => page.locator(`${ROW} input[type=checkbox]`).nth(time % 5)),
  },
  {
    name: "press: facet of the log",
    measure: pressing("/log", ROW, (page) => page.locator("aside button[aria-pressed]").first()),
  },
  {
    name: "typing: channel name",
    measure: typing("/channel/edit/1", FORM, (page) => page.locator("[data-path=name]")),
  },
  {
    name: "typing: channel key",
    measure: typing("/channel/edit/1", FORM, (page) => page.locator("[data-path=key]")),
  },
  {
    name: "typing: channel models",
    measure: typing("/channel/edit/1", FORM, (page) => page.locator("[data-path=models]")),
  },
  { name: "typing: search of channels", measure: typing("/channel", ROW, (page) => page.getByRole("searchbox")) },
  {
    name: "typing: token name",
    measure: typing("/token/add", FORM, (page) => page.locator("[data-path=name]")),
  },
  {
    name: "typing: settings",
    measure: typing("/setting?tab=operation", FORM, (page) => page.locator("main form input:not([type=checkbox])")),
  },
];
