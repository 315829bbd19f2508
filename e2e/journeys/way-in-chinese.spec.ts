import {
  type IdentityProvider,
  settingsFor,
  startIdentityProvider,
} from "@one-api/stub-server/people/start-identity-provider";
import { type MailServer, startMailServer } from "@one-api/stub-server/people/start-mail-server";
import { type BrowserContext, expect, type Page, test } from "@playwright/test";
import { z } from "zod";
import { type GatewayClient, logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";
import { keyboardOf } from "../keyboard/keyboard-of.ts";

test.use({ locale: "zh-CN" });

const PASSWORD = "correct horse";

let gateway: Gateway;
let mailServer: MailServer;
let provider: IdentityProvider;
let root: GatewayClient;

const set = async (options: Readonly<Record<string, string>>) => {
  for (const [key, value] of Object.entries(options)) await root.send("PUT", "/api/option/", { key, value });
};

test.beforeAll(async () => {
  [gateway, mailServer] = await Promise.all([startGateway(), startMailServer()]);
  root = await logInToGateway(gateway.url);
  provider = await startIdentityProvider(`${gateway.url}/oauth/github`);
  await set({
    SMTPServer: "127.0.0.1",
    SMTPPort: String(mailServer.port),
    SMTPAccount: mailServer.account,
    SMTPToken: mailServer.password,
    ServerAddress: gateway.url,
    EmailVerificationEnabled: "true",
    ...settingsFor(provider),
  });
});

test.afterAll(async () => {
  await Promise.all([gateway.stop(), mailServer.close(), provider.close()]);
});

/** What works a page in Chinese with its keyboard alone: by the whole names of its controls. */
function chineseUser(page: Page) {
  const { press, type } = keyboardOf(page);
  const main = page.getByRole("main");
  return {
    open: (path: string) => page.goto(gateway.url + path),
    type: (name: string, text: string) => type(main.getByRole("textbox", { name, exact: true }), text),
    press: (name: string) => press(main.getByRole("button", { name, exact: true })),
    follow: (name: string) => press(main.getByRole("link", { name, exact: true })),
    sees: (text: string) => expect(page.getByText(text).first()).toBeVisible(),
    dialog: page.getByRole("dialog"),
    keys: { press, type },
  };
}

async function logIn(page: Page, name: string, password: string): Promise<void> {
  const { open, type, press, sees } = chineseUser(page);
  await open("/login");
  await type("用户名或邮箱", name);
  await type("密码", password);
  await press("登录");
  await sees("登录成功！");
}

const codesSchema = z.array(z.string()).min(1);

test("in Chinese: from the first mail to the end of the account", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { open, type, press, sees, dialog, keys } = chineseUser(page);

  await test.step("is told what is wrong with a registration, and registers with the code from the mail", async () => {
    await open("/login?expired=true");
    await sees("未登录或登录已过期，请重新登录！");
    await open("/nowhere");
    await sees("页面不存在，请检查您的浏览器地址是否正确");
    const human = { TurnstileAddress: provider.url, TurnstileSiteKey: "site", TurnstileSecretKey: "secret" };
    await set({ ...human, TurnstileCheckEnabled: "true" });
    await open("/register");
    await type("邮箱", "mia@example.com");
    await press("获取验证码");
    await sees("请稍后几秒重试，Turnstile 正在检查用户环境！");
    await set({ TurnstileCheckEnabled: "false" });
    await open("/register");
    await type("用户名", "mia");
    await type("密码", "short");
    await type("重复密码", "short");
    await type("邮箱", "mia@example.com");
    await press("获取验证码");
    await sees("验证码发送成功，请检查您的邮箱！");
    const { text } = await mailServer.nextTo("mia@example.com");
    await type("验证码", /\b\d{8}\b/.exec(text)?.[0] ?? "no code");
    await press("注册");
    await sees("密码长度不得小于 8 位！");
    await type("密码", PASSWORD);
    await press("注册");
    await sees("两次输入的密码不一致");
    await type("重复密码", PASSWORD);
    await press("注册");
    await sees("注册成功！");
  });

  await test.step("asks for the mail that resets a password", async () => {
    const seen = mailServer.mails.length;
    await open("/reset");
    await type("邮箱", "mia@example.com");
    await press("发送邮件");
    await sees("重置邮件已发送");
    expect((await mailServer.nextTo("mia@example.com", seen, /\/user\/reset/)).text).toMatch(/[一-鿿]/);
  });

  await test.step("logs in and redeems", async () => {
    await logIn(page, "mia", PASSWORD);
    await open("/topup");
    await press("兑换");
    await sees("请输入充值码！");
    await press("充值");
    await sees("超级管理员尚未设置充值链接。");
    const made = await root.send("POST", "/api/redemption/", { name: "春天", count: 1, quota: 100_000 });
    await type("兑换码", codesSchema.parse(made)[0] ?? "no code");
    await press("兑换");
    await sees("充值成功：已增加 $0.20");
    await page.route("**/api/user/topup", (route) => route.abort());
    await type("兑换码", "anything");
    await press("兑换");
    await sees("请求失败");
    await page.unroute("**/api/user/topup");
    await page.route("**/api/user/topup", (route) => route.fulfill({ status: 429, body: "" }));
    await press("兑换");
    await sees("错误：请求次数过多，请稍后再试！");
    await page.unroute("**/api/user/topup");
  });

  await test.step("makes an access token, copies the invite link, binds GitHub and saves the profile", async () => {
    await open("/setting");
    await press("生成系统访问令牌");
    await sees("令牌已重置并复制");
    await press("复制邀请链接");
    await sees("邀请链接已复制");
    await bindGitHub(context, () => press("绑定 GitHub"));
    await open("/user/edit");
    await type("显示名称", "米娅");
    await press("保存");
    await sees("用户信息已更新");
  });

  await test.step("logs out, comes back, and deletes the account by typing its name", async () => {
    await keys.press(page.getByRole("button", { name: "退出登录" }));
    await sees("已退出登录");
    await logIn(page, "mia", PASSWORD);
    await open("/setting");
    await press("删除账户");
    await expect(dialog.getByText("请输入账户名以确认删除：mia")).toBeVisible();
    await keys.type(dialog.getByRole("textbox"), "mia");
    await keys.press(dialog.getByRole("button", { name: "删除账户" }));
    await sees("账户已删除");
  });

  await test.step("hears when the server is gone", async () => {
    await page.route("**/api/**", (route) => route.abort());
    await open("/login");
    await sees("无法连接至服务器");
  });
});

/** Begins at the settings, and sees in the provider's window how it ends. */
async function bindGitHub(context: BrowserContext, begin: () => Promise<void>): Promise<void> {
  const opened = context.waitForEvent("page");
  await begin();
  const callback = await opened;
  await expect(callback.getByText("绑定成功").first()).toBeVisible();
  await callback.close();
}

test("in Chinese: an administrator makes a user and a code", async ({ page }) => {
  const { open, type, press, follow, sees } = chineseUser(page);
  // A browser that refuses both ways to copy.
  await page.addInitScript(
    "navigator.clipboard.writeText = () => Promise.reject(new Error('no')); document.execCommand = () => false;",
  );
  await logIn(page, "root", "123456");
  await sees("请立刻修改默认密码！");
  await open("/user");
  await expect(page.getByRole("heading", { name: "管理用户", exact: true })).toBeVisible();
  await follow("添加新用户");
  await type("用户名", "grace");
  await type("密码", PASSWORD);
  await press("创建用户");
  await sees("用户已创建");
  await follow("编辑 grace");
  await type("显示名称", "格蕾丝");
  await press("保存");
  await sees("用户信息已更新");
  const row = page.getByRole("row", { name: /grace/ });
  await keyboardOf(page).press(row.getByRole("button", { name: "禁用" }));
  await sees("操作成功完成！grace 已封禁。");
  await root.send("POST", "/api/redemption/", { name: "夏天", count: 1, quota: 100_000 });
  await open("/redemption");
  await keyboardOf(page).press(page.getByRole("row", { name: /夏天/ }).getByRole("button", { name: /复制兑换码/ }));
  await sees("浏览器不允许复制。兑换码已填入搜索框，请手动复制。");
});
