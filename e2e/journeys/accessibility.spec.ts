import { AxeBuilder } from "@axe-core/playwright";
import { startFakeUpstream } from "@one-api/fake-upstream/start-fake-upstream";
import { expect, type Page, test } from "@playwright/test";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

const PAGES = [
  "/",
  "/channel",
  "/channel/add",
  "/token",
  "/token/add",
  "/playground",
  "/redemption",
  "/redemption/add",
  "/redemption/edit/1",
  "/topup",
  "/user",
  "/user/add",
  "/user/edit/2",
  "/user/invitation",
  "/user/invitation/add",
  "/log",
  "/user/edit",
  "/setting?tab=operation",
  "/setting?tab=other",
  "/pricing",
];

let gateway: Gateway;
/** Root's, for all tests: what it has loaded once stays. */
let page: Page;

test.beforeAll(async ({ browser }) => {
  const upstream = await startFakeUpstream();
  gateway = await startGateway();
  const root = await logInToGateway(gateway.url);
  await root.send("POST", "/api/channel/", {
    type: 1,
    name: "Stub",
    key: "sk-stub",
    base_url: upstream.url,
    models: "gpt-4o-mini",
  });
  await root.get("/api/channel/test/1");
  await root.send("POST", "/api/token/", { name: "First" });
  await root.send("POST", "/api/redemption/", { name: "Gift" });
  await root.send("POST", "/api/invitation/", { name: "Ada" });
  await root.send("POST", "/api/user/", { username: "grace", password: "a good password" });
  await upstream.close();
  page = await (await browser.newContext()).newPage();
  await page.goto(`${gateway.url}/login`);
  await page.getByLabel("Username or email").fill("root");
  await page.getByRole("textbox", { name: "Password" }).fill("123456");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await expect(page).toHaveURL(/\/user\/edit$/);
});

test.afterAll(async () => {
  await page.context().close();
  await gateway.stop();
});

/** Every page is loaded once and shown in each of these ways. */
const LOOKS = [
  { colorScheme: "light", width: 1440 },
  { colorScheme: "dark", width: 1440 },
  { colorScheme: "light", width: 360 },
] as const;

for (const path of PAGES) {
  test(`${path} has no serious barrier and no sideways scroll`, async () => {
    await page.goto(gateway.url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    for (const { colorScheme, width } of LOOKS) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 800 });
      await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", colorScheme);
      await page.waitForLoadState("networkidle");
      await expect
        .poll(() => page.evaluate<boolean>("document.getAnimations().some((one) => one instanceof CSSTransition)"))
        .toBe(false);
      const look = `${colorScheme}, ${width} px`;
      expect(await seriousBarriers(), look).toEqual([]);
      const overflow = await page.evaluate<number>(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth",
      );
      expect(overflow, look).toBeLessThanOrEqual(0);
    }
  });
}

async function seriousBarriers(): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).exclude(".mantine-Notifications-root").analyze();
  const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
  return serious.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => String(target[0])).join(" | ")}`);
}
