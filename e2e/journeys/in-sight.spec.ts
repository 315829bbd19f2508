import { expect, type Locator, type Page, test } from "@playwright/test";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

// What must be seen on the screen itself: a test without a browser knows no heights.

const LONG_NAME = "W".repeat(60);

let gateway: Gateway;

test.beforeAll(async () => {
  gateway = await startGateway();
  const root = await logInToGateway(gateway.url);
  await root.send("POST", "/api/channel/", {
    type: 1,
    name: LONG_NAME,
    key: "sk-1",
    base_url: "http://127.0.0.1:9",
    models: "gpt-4o",
    tags: "production,eu-west",
  });
});

test.afterAll(() => gateway.stop());

test.beforeEach(async ({ page }) => {
  await page.goto(`${gateway.url}/login`);
  await page.getByLabel("Username or email").fill("root");
  await page.getByRole("textbox", { name: "Password" }).fill("123456");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.waitForURL("**/user/edit");
});

const open = async (page: Page, path: string, size: { width: number; height: number }) => {
  await page.setViewportSize(size);
  await page.goto(gateway.url + path);
};

/** Where something stands in the window, in px. */
async function boxOf(locator: Locator) {
  const box = await locator.boundingBox();
  if (box === null) throw new Error("it is not on the screen");
  return { top: box.y, bottom: box.y + box.height, height: box.height };
}

test("the tools above the channels take two lines of a phone, with all filters set and sorted by the longest name", async ({
  page,
}) => {
  for (const search of ["", "?status=1&type=1&group=default&sort=response_time"]) {
    await open(page, `/channel${search}`, { width: 360, height: 800 });
    await page.getByRole("button", { name: "Views" }).waitFor();
    const [first, filters] = [page.getByRole("searchbox"), page.getByRole("button", { name: /^Filters/ })];
    await expect(filters).toBeVisible();
    for (const name of ["Show details", "Refresh"])
      expect((await boxOf(page.getByRole("button", { name }))).top).toBe((await boxOf(first)).top);
    for (const name of ["Views", /^(Sort|Response time)$/])
      expect((await boxOf(page.getByRole("button", { name }))).top).toBe((await boxOf(filters)).top);
  }
});

/** Runs in the page before all else: adds up how much of it moved without anybody's doing, and names what did. */
const WATCH_SHIFTS = `
  window.moved = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, value, sources } of list.getEntries())
      if (!hadRecentInput && value > 0.002) window.moved.push(...sources.map(({ node }) => (node?.textContent ?? "").slice(0, 40)));
  }).observe({ type: "layout-shift", buffered: true });`;

for (const width of [1440, 360]) {
  test(`nothing moves while a page waits for its data, at ${width} px`, async ({ page }) => {
    // Some sessions more, which the settings list.
    for (let login = 0; login < 3; login += 1) await logInToGateway(gateway.url);
    await page.addInitScript(WATCH_SHIFTS);
    // A font that comes late moves what is written, and is no data.
    await page.route("**/*.woff2", (route) => route.abort());
    await page.route("**/api/**", async (route) => {
      await new Promise((resolve) => void setTimeout(resolve, 400));
      await route.continue();
    });
    for (const path of ["/channel", "/channel/1", "/user", "/pricing", "/setting"]) {
      await open(page, path, { width, height: 800 });
      await page.waitForLoadState("networkidle");
      expect(await page.evaluate<string[]>("window.moved"), path).toEqual([]);
    }
  });
}

/** The label of a field that has the focus under the bar; empty where it is seen, or has it elsewhere. */
async function coveredBy(bar: Locator, focused: Locator): Promise<string> {
  if ((await focused.count()) === 0 || (await bar.locator(":focus").count()) > 0) return "";
  const [field, over] = [await boxOf(focused), await boxOf(bar)];
  // Of a field of several lines the browser brings the line that is written on into sight.
  const isOfLines = (await focused.and(focused.page().locator("textarea")).count()) > 0;
  const needed = isOfLines ? Math.min(field.height, 40) : field.height;
  return field.top + needed <= over.top ? "" : ((await focused.getAttribute("data-path")) ?? "a button");
}

test("a channel's tags stand whole in its row", async ({ page }) => {
  await open(page, "/channel", { width: 1440, height: 900 });
  for (const name of ["production", "eu-west"]) {
    const tag = page.getByRole("link", { name, exact: true });
    await expect(tag).toBeVisible();
    const [box, around] = [await boxOf(tag), await boxOf(tag.locator(".."))];
    const whole = box.height;
    const seen = Math.min(box.bottom, around.bottom) - Math.max(box.top, around.top);
    expect(whole).toBeGreaterThanOrEqual(20);
    expect(seen).toBeCloseTo(whole, 0);
  }
});

for (const size of [
  { width: 1440, height: 900 },
  { width: 720, height: 450 },
]) {
  test(`no field that has the focus is under the bar of its form, at ${size.width} px`, async ({ page }) => {
    await open(page, "/channel/add", size);
    await page.getByRole("textbox", { name: /^Name/ }).focus();
    const bar = page.locator("form").getByRole("status").last().locator("..");
    const hidden: string[] = [];
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press("Tab");
      const covered = await coveredBy(bar, page.locator("form :focus"));
      if (covered !== "") hidden.push(covered);
    }
    expect(hidden).toEqual([]);
  });
}

test("a dialog's title with a long name stays within the dialog", async ({ page }) => {
  await open(page, "/channel", { width: 1440, height: 900 });
  await page.getByRole("button", { name: `More actions for ${LONG_NAME}` }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog", { name: /^Delete/ });
  await expect(dialog).toBeVisible();
  // As a text: these files know no elements.
  const title = 'document.querySelector("[role=dialog] h2")';
  const beyond = await page.evaluate<number>(`${title}.scrollWidth - ${title}.clientWidth`);
  expect(beyond).toBe(0);
});

/** The boxes of all toasts and of a control, in px of the window. */
async function boxesOf(page: Page, control: Locator) {
  const toasts = await page.locator("[data-toasts] [role=alert], [data-toasts] [role=status]").all();
  const edges = async (locator: Locator) => {
    const box = await locator.boundingBox();
    if (box === null) throw new Error("it is not on the screen");
    return { left: box.x, right: box.x + box.width, top: box.y, bottom: box.y + box.height };
  };
  return { control: await edges(control), toasts: await Promise.all(toasts.map(edges)) };
}

for (const size of [
  { width: 1440, height: 900 },
  { width: 1440, height: 420 },
  { width: 360, height: 800 },
  { width: 360, height: 420 },
])
  test(`toasts leave the pager free at ${size.width} × ${size.height} px`, async ({ page }) => {
    await open(page, "/channel", size);
    const pager = page.getByRole("navigation", { name: "Pages", exact: true });
    await pager.scrollIntoViewIfNeeded();
    await page.route("**/api/channel/**", (route) => route.fulfill({ json: { success: false, message: "No." } }));
    await page.getByRole("button", { name: "Refresh" }).click();
    await pager.scrollIntoViewIfNeeded();
    await expect(page.getByText("No.", { exact: true })).toBeVisible();
    await expect
      .poll(async () => {
        const { control, toasts } = await boxesOf(page, pager);
        return toasts.filter(
          (toast) =>
            toast.left < control.right &&
            toast.right > control.left &&
            toast.top < control.bottom &&
            toast.bottom > control.top,
        );
      })
      .toEqual([]);
  });
