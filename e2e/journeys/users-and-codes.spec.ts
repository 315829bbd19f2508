import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

let gateway: Gateway;

test.beforeAll(async () => {
  gateway = await startGateway();
});

test.afterAll(() => gateway.stop());

async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.goto(`${gateway.url}/login`);
  await page.getByLabel("Username or email").fill(username);
  await page.getByRole("textbox", { name: "Password" }).fill(password);
  const self = page.waitForResponse((response) => response.url().endsWith("/api/user/self"));
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await self;
}

const menu = (page: Page, name: string) => page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name });

test("an administrator makes a user and codes; the user redeems one, and is out at once when disabled", async ({
  page,
  browser,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
  const other = await (await browser.newContext()).newPage();

  await test.step("root creates a user", async () => {
    await logIn(page, "root", "123456");
    await menu(page, "User").click();
    await expect(page.getByRole("heading", { name: "Manage users" })).toBeVisible();
    await page.getByRole("link", { name: "add new user" }).click();
    await page.getByRole("textbox", { name: "Username" }).fill("grace");
    await page.getByRole("textbox", { name: "Password" }).fill("a good password");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("User created")).toBeVisible();
    await expect(page.getByRole("link", { name: "grace" })).toBeVisible();
  });

  let code = "";
  await test.step("root makes codes, which come as a file", async () => {
    await menu(page, "Redemption").click();
    await page.getByRole("link", { name: "Add codes" }).click();
    await page.getByRole("textbox", { name: "Name" }).fill("Spring");
    await page.getByLabel("Number of codes").fill("3");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save" }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe("Spring.txt");
    const codes = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\n");
    expect(codes).toHaveLength(3);
    code = codes[0] ?? "";
    await expect(page.getByRole("row", { name: /Spring/ })).toHaveCount(3);
  });

  await test.step("the user redeems one, once", async () => {
    await logIn(other, "grace", "a good password");
    await menu(other, "Top-up").click();
    await expect(other.getByRole("heading", { name: "Top-up" })).toBeVisible();
    await other.getByLabel("Redemption code").fill(code);
    await other.getByRole("button", { name: "Redeem" }).click();
    await expect(other.getByText("Top-up success: $0.20 added")).toBeVisible();
    await expect(other.getByRole("definition").getByText("$0.20")).toBeVisible();
    await other.getByLabel("Redemption code").fill(code);
    await other.getByRole("button", { name: "Redeem" }).click();
    await expect(other.getByText("This redemption code has been used.").first()).toBeVisible();
    await other.getByRole("link", { name: "Past top-ups" }).click();
    await expect(other.getByText("Redeemed $0.200000 with the code Spring").first()).toBeVisible();
  });

  await test.step("root sees who redeemed it, and gives more", async () => {
    await page.getByRole("button", { name: "Refresh" }).click();
    await expect(page.getByRole("row", { name: /Spring.*Used.*grace/ })).toBeVisible();
    await menu(page, "User").click();
    await page.getByRole("link", { name: "grace" }).click();
    await page.getByRole("textbox", { name: "Remaining quota" }).fill("5000000");
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.getByText("User info updated")).toBeVisible();
    await expect(page.getByRole("row", { name: /grace.*\$10\.00/ })).toBeVisible();
  });

  await test.step("root disables the user, whose open page is at the login with the next click", async () => {
    await page.getByRole("row", { name: /grace/ }).getByRole("button", { name: "Disable" }).click();
    await expect(page.getByRole("row", { name: /grace.*Banned/ })).toBeVisible();
    await menu(other, "Log").click();
    await expect(other).toHaveURL(/\/login\?expired=true/);
    await expect(other.getByText("Not logged in or login expired, please log in again!").first()).toBeVisible();
  });

  expect(complaints).toEqual([]);
});
