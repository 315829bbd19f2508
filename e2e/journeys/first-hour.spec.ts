import { type StubServer, startStubServer } from "@one-api/stub-server/start-stub-server";
import { expect, type Page, test } from "@playwright/test";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

/** Clicks and presses of Enter from the login of an empty gateway to the first answer. Typing is not counted. */
const MOST_PRESSES = 6;

let upstream: StubServer;
let gateway: Gateway;

test.beforeAll(async () => {
  upstream = await startStubServer();
  gateway = await startGateway();
});
test.afterAll(async () => {
  await gateway.stop();
  await upstream.close();
});

/** Clicks and presses Enter, and counts both. */
function presser(page: Page) {
  let presses = 0;
  return {
    count: () => presses,
    enter: async () => {
      presses += 1;
      await page.keyboard.press("Enter");
    },
    link: async (name: string) => {
      presses += 1;
      await page.getByRole("link", { name, exact: true }).first().click();
    },
  };
}

test("six presses lead from an empty gateway to the first answer", async ({ page }) => {
  const press = presser(page);
  await page.goto(`${gateway.url}/login`);
  await page.getByLabel("Username or email").fill("root");
  await page.getByLabel("Password", { exact: true }).fill("123456");
  await press.enter();

  await page.getByLabel("New password").fill("a-password-of-our-own");
  await press.enter();

  // The next step is the button of the home page.
  await page.getByText("Welcome, Root User").waitFor();
  await press.link("Add a channel");
  await page.getByRole("textbox", { name: "Name" }).fill("Stub provider");
  await page.getByRole("textbox", { name: "Key" }).fill("sk-stub");
  await page.getByLabel("Base URL").fill(upstream.at("openai"));
  // Typing takes a person longer than the models of the type.
  await page.getByText(/\d models? selected/).waitFor();
  await press.enter();

  await expect(page).toHaveURL(/\/channel$/);
  await press.link("Playground");
  await page.getByLabel("Message").fill("Hello");
  await press.enter();
  await expect(page.getByText("You said: Hello")).toBeVisible();
  expect(press.count()).toBeLessThanOrEqual(MOST_PRESSES);
});
