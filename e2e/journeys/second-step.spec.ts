import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { TOTP } from "otpauth";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

const PASSWORD = "correct horse";

let gateway: Gateway;
/** Passkeys need a name; an address of numbers has none. */
let url: string;

test.beforeAll(async () => {
  gateway = await startGateway();
  url = gateway.url.replace("127.0.0.1", "localhost");
  const root = await logInToGateway(gateway.url);
  await root.send("POST", "/api/user/", { username: "mia", password: PASSWORD });
});

test.afterAll(() => gateway.stop());

/** Gives the browser a fingerprint reader that always recognises its owner. */
async function plugInAuthenticator(context: BrowserContext, page: Page): Promise<void> {
  const devtools = await context.newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const options = {
    protocol: "ctap2",
    transport: "internal",
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  } as const;
  await devtools.send("WebAuthn.addVirtualAuthenticator", { options });
}

async function typePassword(page: Page): Promise<void> {
  await page.goto(`${url}/login`);
  await page.getByLabel("Username or email").fill("mia");
  await page.getByRole("textbox", { name: "Password" }).fill(PASSWORD);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
}

test("an authenticator app, a passkey and the list of sessions", async ({ page, context, browser }) => {
  await plugInAuthenticator(context, page);
  const dialog = page.getByRole("dialog");
  let codes: string[] = [];

  await test.step("sets up an authenticator app and keeps the recovery codes", async () => {
    await typePassword(page);
    await expect(page).toHaveURL(/\/token$/);
    await page.goto(`${url}/setting?section=security`);
    await page.getByRole("button", { name: "Set up" }).click();
    await dialog.getByRole("textbox", { name: "Your password" }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(dialog.getByRole("img", { name: /QR code/ })).toBeVisible();
    const secret = await dialog.getByLabel("Or enter this key in the app").inputValue();
    await dialog.getByLabel("Code from the app").fill(new TOTP({ secret }).generate());
    await dialog.getByRole("button", { name: "Confirm" }).click();
    await expect(dialog.getByRole("listitem")).toHaveCount(10);
    codes = await dialog.getByRole("listitem").allTextContents();
    await dialog.getByRole("button", { name: "I have saved them" }).click();
  });

  await test.step("adds a passkey", async () => {
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await dialog.getByRole("textbox", { name: "Your password" }).fill(PASSWORD);
    await dialog.getByLabel("Code", { exact: true }).fill(codes[0] ?? "");
    await dialog.getByRole("button", { name: "Continue" }).click();
    await expect(page.getByRole("button", { name: /^Remove passkey/ })).toBeVisible();
  });

  await test.step("logs in elsewhere with the password and a recovery code, and is put out there from here", async () => {
    const other = await browser.newPage();
    await typePassword(other);
    await other.getByLabel("Code", { exact: true }).fill("000000");
    await other.getByRole("button", { name: "Continue" }).click();
    await expect(other.getByRole("main").getByRole("alert")).toHaveText(/The code is wrong/);
    await other.getByLabel("Code", { exact: true }).fill(codes[1] ?? "");
    await other.getByRole("button", { name: "Continue" }).click();
    await expect(other).toHaveURL(/\/token$/);
    await page.reload();
    await page.getByRole("button", { name: "Log out Chrome · Linux" }).click();
    await expect(page.getByRole("button", { name: "Log out Chrome · Linux" })).toHaveCount(0);
    await other.goto(`${url}/log`);
    // The page says that the session has expired, unless the one before it asked for something meanwhile and had said so already.
    await expect(other).toHaveURL(/\/login\?(expired=true|from=%2Flog)/);
    await other.close();
  });

  await test.step("signs out everywhere, and is back with the passkey alone", async () => {
    await page.getByRole("button", { name: "Log out everywhere" }).click();
    await dialog.getByRole("button", { name: "Log out everywhere" }).click();
    await expect(page).toHaveURL(/\/login$/);
    await page.getByRole("button", { name: "Log in with a passkey" }).click();
    await expect(page).toHaveURL(/\/token$/);
  });

  await test.step("takes the passkey as the second step too, and as the proof that removes the app", async () => {
    await context.clearCookies();
    await typePassword(page);
    await page.getByRole("button", { name: "Use a passkey" }).click();
    await expect(page).toHaveURL(/\/token$/);
    await page.goto(`${url}/setting?section=security`);
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await dialog.getByRole("textbox", { name: "Your password" }).fill(PASSWORD);
    await dialog.getByRole("button", { name: "Use a passkey instead of a code" }).click();
    await expect(page.getByRole("button", { name: "Set up" })).toBeVisible();
  });
});
