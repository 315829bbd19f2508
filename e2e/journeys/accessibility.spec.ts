import { AxeBuilder } from "@axe-core/playwright";
import { startFakeUpstream } from "@one-api/fake-upstream/start-fake-upstream";
import { expect, test } from "@playwright/test";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

const PAGES = [
  "/",
  "/channel",
  "/channel/add",
  "/token",
  "/token/add",
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

test.beforeAll(async () => {
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
});

test.afterAll(() => gateway.stop());

for (const colorScheme of ["light", "dark"] as const) {
  for (const width of [1440, 360]) {
    test(`no page has a serious barrier or sideways scroll: ${colorScheme}, ${width} px`, async ({ browser }) => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
      const page = await context.newPage();
      await page.goto(`${gateway.url}/login`);
      await page.getByLabel("Username or email").fill("root");
      await page.getByRole("textbox", { name: "Password" }).fill("123456");
      await page.getByRole("button", { name: "Log in", exact: true }).click();
      await expect(page).toHaveURL(/\/user\/edit$/);
      for (const path of PAGES) {
        await page.goto(gateway.url + path);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await page.waitForLoadState("networkidle");
        const { violations } = await new AxeBuilder({ page }).exclude(".mantine-Notifications-root").analyze();
        const serious = violations.filter(({ impact }) => impact === "serious" || impact === "critical");
        const found = serious.map(
          ({ id, nodes }) => `${path} ${id}: ${nodes.map(({ target }) => String(target[0])).join(" | ")}`,
        );
        expect(found).toEqual([]);
        const overflow = await page.evaluate<number>(
          "document.documentElement.scrollWidth - document.documentElement.clientWidth",
        );
        expect(overflow, path).toBeLessThanOrEqual(0);
      }
      await context.close();
    });
  }
}
