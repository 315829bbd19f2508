import { readFileSync } from "node:fs";
import { expect, type Page, test } from "@playwright/test";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";
import { keyboardOf } from "../keyboard/keyboard-of.ts";

let gateway: Gateway;

test.beforeAll(async () => {
  gateway = await startGateway();
});

test.afterAll(() => gateway.stop());

async function logIn(page: Page, username: string, password: string): Promise<void> {
  const { type } = keyboardOf(page);
  await page.goto(`${gateway.url}/login`);
  await type(page.getByLabel("Username or email"), username);
  await type(page.getByRole("textbox", { name: "Password" }), password);
  await page.keyboard.press("Enter");
  await expect(page.locator("#page-title")).toBeFocused();
}

const menu = (page: Page, name: string) => page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name });

test("with the keyboard alone an administrator makes a user and codes; the user redeems one, and is out at once when disabled", async ({
  page,
  browser,
}) => {
  const complaints: string[] = [];
  page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
  page.on("pageerror", (error) => void complaints.push(error.message));
  const other = await (await browser.newContext()).newPage();
  const root = keyboardOf(page);
  const grace = keyboardOf(other);
  const rowOf = (name: RegExp) => page.getByRole("row", { name });

  await test.step("root creates a user", async () => {
    await logIn(page, "root", "123456");
    await root.press(menu(page, "User"));
    await expect(page.getByRole("heading", { name: "Manage users" })).toBeFocused();
    await root.press(page.getByRole("link", { name: "add new user" }));
    await root.type(page.getByRole("textbox", { name: "Username" }), "grace");
    await root.type(page.getByRole("textbox", { name: "Password" }), "a good password");
    await root.press(page.getByRole("button", { name: "Create user" }));
    await expect(page.getByText("User created")).toBeVisible();
    await expect(page.getByRole("link", { name: "grace", exact: true })).toBeVisible();
  });

  let code = "";
  await test.step("root makes codes, which come as a file", async () => {
    await root.press(menu(page, "Redemption"));
    await root.press(page.getByRole("link", { name: "Add codes" }));
    await root.type(page.getByRole("textbox", { name: "Name" }), "Spring");
    await root.type(page.getByLabel("Number of codes"), "3");
    const download = page.waitForEvent("download");
    await root.press(page.getByRole("button", { name: "Create 3 codes" }));
    const file = await download;
    expect(file.suggestedFilename()).toBe("Spring.txt");
    const codes = readFileSync(await file.path(), "utf8")
      .trim()
      .split("\n");
    expect(codes).toHaveLength(3);
    code = codes[0] ?? "";
    await root.press(page.getByRole("dialog").getByRole("button", { name: "Done" }));
    await expect(rowOf(/Spring\s*….*Unused/)).toHaveCount(3);
  });

  await test.step("the user redeems one, once", async () => {
    await logIn(other, "grace", "a good password");
    await grace.press(menu(other, "Top-up"));
    await expect(other.getByRole("heading", { name: "Top-up" })).toBeVisible();
    await grace.type(other.getByLabel("Redemption code"), code);
    await grace.press(other.getByRole("button", { name: "Redeem" }));
    await expect(other.getByText("Top-up success: $0.20 added")).toBeVisible();
    await expect(other.getByRole("definition").getByText("$0.20")).toBeVisible();
    await grace.type(other.getByLabel("Redemption code"), code);
    await other.keyboard.press("Enter");
    await expect(other.getByText("This redemption code was already used.").first()).toBeVisible();
    await grace.press(other.getByRole("link", { name: "View in Logs" }));
    await expect(other.getByText("Redeemed $0.20 with the code Spring").first()).toBeVisible();
  });

  await test.step("root sees who redeemed it, and gives more", async () => {
    await root.press(page.getByRole("button", { name: "Refresh" }));
    await expect(rowOf(/Spring.*Used.*grace/)).toBeVisible();
    await root.press(menu(page, "User"));
    await root.press(page.getByRole("link", { name: "Edit grace" }));
    await root.type(page.getByRole("textbox", { name: "Balance" }), "10");
    await root.press(page.getByRole("button", { name: "Save" }));
    await expect(page.getByText("User info updated")).toBeVisible();
    await expect(rowOf(/grace.*\$10\.00/)).toBeVisible();
  });

  const more = page.getByRole("button", { name: "More actions for grace" });

  await test.step("root promotes the user, who is an administrator with the next page", async () => {
    await root.choose(more, "Promote");
    await expect(page.getByRole("dialog").getByRole("button", { name: "Promote" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(rowOf(/grace.*Admin/)).toBeVisible();
    await expect(more).toBeFocused();
    await other.reload();
    await grace.press(menu(other, "User"));
    await expect(other.getByRole("link", { name: "add new user" })).toBeVisible();
  });

  await test.step("root disables the user, whose open page is at the login with the next keys", async () => {
    await root.press(rowOf(/grace/).getByRole("button", { name: "Disable" }));
    await expect(rowOf(/grace.*Banned/)).toBeVisible();
    await expect(rowOf(/grace/).getByRole("button", { name: "Enable" })).toBeFocused();
    // A focused link of the menu loads its page ahead of Enter, so that the login may come while the keys are on their way.
    const atLogin = other.waitForURL(/\/login\?expired=true/);
    grace.press(menu(other, "Log")).catch(() => undefined);
    await atLogin;
    await expect(other.getByText("Not logged in or login expired, please log in again!").first()).toBeVisible();
  });

  await test.step("root deletes the user, and is in the list again", async () => {
    await root.choose(more, "Delete");
    await root.press(page.getByRole("dialog").getByRole("button", { name: "Delete" }));
    await expect(rowOf(/grace/)).toHaveCount(0);
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await root.reach(page.getByRole("link", { name: "add new user" }));
  });

  expect(complaints).toEqual([]);
});
