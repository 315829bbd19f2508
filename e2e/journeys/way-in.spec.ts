import {
  type IdentityProvider,
  settingsFor,
  startIdentityProvider,
} from "@one-api/stub-server/people/start-identity-provider";
import { type OpenIdServer, startOpenIdServer } from "@one-api/stub-server/people/start-openid-server";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { type GatewayClient, logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";
import { keyboardOf } from "../keyboard/keyboard-of.ts";

const usersSchema = z.array(z.object({ username: z.string(), quota: z.number(), github_id: z.string() }));

let gateway: Gateway;
let mailServer: MailServer;
let provider: IdentityProvider;
let openId: OpenIdServer;
let root: GatewayClient;

test.beforeAll(async () => {
  [gateway, mailServer] = await Promise.all([startGateway(), startMailServer()]);
  root = await logInToGateway(gateway.url);
  provider = await startIdentityProvider(`${gateway.url}/oauth/github`);
  openId = await startOpenIdServer(`${gateway.url}/oauth/oidc`);
  const options = {
    SMTPServer: "127.0.0.1",
    SMTPPort: String(mailServer.port),
    SMTPAccount: mailServer.account,
    SMTPToken: mailServer.password,
    ServerAddress: gateway.url,
    EmailVerificationEnabled: "true",
    QuotaForNewUser: "1000",
    QuotaForInvitee: "300",
    QuotaForInviter: "500",
    ...settingsFor(provider),
    OidcIssuer: openId.issuer,
    OidcClientId: openId.clientId,
    OidcClientSecret: openId.clientSecret,
    OidcButtonLabel: "Acme",
    OidcEnabled: "true",
  };
  for (const [key, value] of Object.entries(options)) await root.send("PUT", "/api/option/", { key, value });
});

test.afterAll(async () => {
  await Promise.all([gateway.stop(), mailServer.close(), provider.close(), openId.close()]);
});

async function userNamed(name: string) {
  const users = usersSchema.parse(await root.get(`/api/user/search?keyword=${name}`));
  return users.find(({ username }) => username.startsWith(name));
}

async function register(page: Page, name: string): Promise<void> {
  const email = `${name}@example.com`;
  const main = page.getByRole("main");
  const { type, press } = keyboardOf(page);
  await type(main.getByLabel("Username"), name);
  await type(main.getByLabel("Password", { exact: true }), "correct horse");
  await type(main.getByLabel("Repeat password"), "correct horse");
  await type(main.getByLabel("Email"), email);
  await press(main.getByRole("button", { name: "Send code" }));
  const { text } = await mailServer.nextTo(email);
  await type(main.getByLabel("Verification code"), /\b\d{8}\b/.exec(text)?.[0] ?? "no code");
  await press(main.getByRole("button", { name: "Register" }), "Space");
  await expect(page).toHaveURL(/\/login$/);
}

async function logIn(page: Page, name: string, password: string): Promise<void> {
  const { type } = keyboardOf(page);
  await type(page.getByLabel("Username or email"), name);
  await type(page.getByRole("textbox", { name: "Password" }), password);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/token$/);
}

test("with the keyboard alone from the first mail to the end of the account", async ({ page, context, browser }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  const { press, type } = keyboardOf(page);

  await test.step("registers with the code from the mail and logs in", async () => {
    await page.goto(`${gateway.url}/register`);
    await register(page, "mia");
    await logIn(page, "mia", "correct horse");
  });

  await test.step("binds GitHub in a new window", async () => {
    await press(page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Setting" }));
    const opened = context.waitForEvent("page");
    await press(page.getByRole("button", { name: "Link GitHub" }));
    const callback = await opened;
    await callback.waitForURL(/\/setting$/);
    expect((await userNamed("mia"))?.github_id).toBe("1");
    await callback.close();
  });

  await test.step("invites somebody, and both quotas rise", async () => {
    await press(page.getByRole("button", { name: "Copy invite link" }));
    await expect(page.getByText("Invite link copied")).toBeVisible();
    const link = await page.evaluate<string>("navigator.clipboard.readText()");
    const other = await browser.newPage();
    await other.goto(link);
    await register(other, "ben");
    await other.close();
    expect([(await userNamed("mia"))?.quota, (await userNamed("ben"))?.quota]).toEqual([1500, 1300]);
  });

  await test.step("is told by mail of what was bound", async () => {
    const { text } = await mailServer.nextTo("mia@example.com", 0, /was bound/);
    expect(text).toContain("Hello mia, GitHub was bound to your account");
  });

  await test.step("resets the password through the mail, which ends the session", async () => {
    const seen = mailServer.mails.length;
    const other = await browser.newPage();
    const there = keyboardOf(other);
    await other.goto(`${gateway.url}/reset`);
    await there.type(other.getByLabel("Email"), "mia@example.com");
    await there.press(other.getByRole("button", { name: "Send reset link" }));
    const { text } = await mailServer.nextTo("mia@example.com", seen, /\/user\/reset/);
    await other.goto(/https?:\/\/\S+/.exec(text)?.[0] ?? "no link");
    expect(complaints).toEqual([]);
    await there.press(other.getByRole("button", { name: "Set new password" }));
    await there.reach(other.getByLabel("New password"));
    const password = await other.getByLabel("New password").inputValue();
    await other.close();
    await page.goto(`${gateway.url}/token`);
    await expect(page).toHaveURL(/\/login\?expired=true/);
    await logIn(page, "mia@example.com", password);
  });

  await test.step("deletes the account by typing its name", async () => {
    await press(page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Setting" }));
    const opener = page.getByRole("tabpanel").getByRole("button", { name: "Delete account" });
    await press(opener);
    const dialog = page.getByRole("dialog");
    await expect(dialog.getByRole("textbox")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(opener).toBeFocused();
    await page.keyboard.press("Enter");
    await type(dialog.getByRole("textbox"), "mia");
    await press(dialog.getByRole("button", { name: "Delete account" }));
    await expect(page).toHaveURL(/\/login$/);
    expect(await userNamed("mia")).toBeUndefined();
  });
});

test("by invitation alone, through an OpenID Connect provider, whose binding is the only way in", async ({
  browser,
}) => {
  const context = await browser.newContext({ permissions: ["clipboard-read", "clipboard-write"] });
  const page = await context.newPage();
  await root.send("PUT", "/api/option/", { key: "InvitationRequired", value: "true" });

  const link = await test.step("an administrator makes an invitation and copies its link", async () => {
    await page.goto(`${gateway.url}/login`);
    await page.getByLabel("Username or email").fill("root");
    await page.getByRole("textbox", { name: "Password" }).fill("123456");
    await page.getByRole("button", { name: "Log in", exact: true }).click();
    await expect(page).toHaveURL(/\/user\/edit$/);
    await page.goto(`${gateway.url}/user`);
    await page.getByRole("link", { name: "Invitations" }).click();
    await page.getByRole("link", { name: "Invite", exact: true }).click();
    // The list's search has a name in its label too.
    await expect(page.getByRole("heading", { name: "Create invitations" })).toBeVisible();
    await page.getByLabel("Name").fill("Ada");
    await page.getByRole("textbox", { name: "Balance" }).fill("0.0014");
    await page.getByRole("button", { name: "Create invitation" }).click();
    await expect(page).toHaveURL(/\/user\/invitation$/);
    await expect(page.getByText("Invitation created, link copied")).toBeVisible();
    return page.evaluate<string>("navigator.clipboard.readText()");
  });

  const guestContext = await browser.newContext();
  const guest = await guestContext.newPage();
  const enter = async () => {
    const opened = guestContext.waitForEvent("page");
    await guest.getByRole("button", { name: "Log in with Acme" }).click();
    return opened;
  };

  await test.step("without an invitation the provider's people stay out", async () => {
    await guest.goto(`${gateway.url}/login`);
    const refused = await enter();
    await refused.waitForURL(/\/login$/);
    await expect(refused.getByText("Sign-up is by invitation only. Open the link")).toBeVisible();
    await refused.close();
  });

  await test.step("with the link they come in, with its quota beside that of new users", async () => {
    await guest.goto(link);
    const entered = await enter();
    await entered.waitForURL(/\/token$/);
    await entered.close();
    expect((await userNamed("oidc_"))?.quota).toBe(1700);
    await page.reload();
    await expect(page.getByRole("link", { name: /^oidc_/ })).toBeVisible();
  });

  await test.step("the only way in cannot be unbound", async () => {
    await guest.goto(`${gateway.url}/setting`);
    await guest.getByRole("button", { name: "Unlink Acme" }).click();
    await guest.getByRole("dialog").getByRole("button", { name: "Unlink" }).click();
    await expect(guest.getByText("This is the only way to log in to your account.")).toBeVisible();
  });
});
