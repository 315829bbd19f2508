import { afterEach, expect, test } from "vitest";
import { detectLanguage } from "./languages.ts";
import { changeLanguage, fillText, loadTexts, t, translate } from "./i18n.ts";

afterEach(() => changeLanguage("en"));

test("a count chooses the form of a text, and one has its own in Chinese too", async () => {
  await loadTexts(["tokens"]);
  expect(t("tokens:createdDialog.title", { count: 1, name: "app" })).toBe("Token app is ready");
  expect(t("tokens:createdDialog.title", { count: 3, name: "app" })).toBe("3 tokens are ready");
  await changeLanguage("zh-CN");
  expect(t("tokens:createdDialog.title", { count: 1, name: "app" })).toBe("令牌 app 已就绪");
  expect(t("tokens:createdDialog.title", { count: 3, name: "app" })).toBe("3 个令牌已就绪");
});

test("what was loaded in one language is there in the next as soon as that is shown", async () => {
  await loadTexts(["about"]);
  const english = t("about:title");
  await changeLanguage("zh-CN");
  expect(t("about:title")).not.toBe(english);
  expect(document.documentElement.lang).toBe("zh-CN");
});

test("values stand where the text names them, numbers as the language writes them, and nothing else is read", () => {
  expect(fillText("en", "{{count, number}} of {{total}}", { count: 12_345, total: 12_345 })).toBe("12,345 of 12345");
  expect(fillText("en", "{{name}}!", { name: "{{count}}" })).toBe("{{count}}!");
  expect(fillText("en", "<{{toString}}>", {})).toBe("<>");
});

test("a name cannot turn the text around it", () => {
  const text = "Delete {{name}} now?";
  expect(fillText("en", text, { name: "שלום" })).toBe("Delete \u2068שלום\u2069 now?");
  expect(fillText("en", text, { name: "\u202Eabc\u2069\u202E" })).toBe("Delete abc now?");
  expect(fillText("en", text, { name: "中文 👩‍👧" })).toBe("Delete 中文 👩‍👧 now?");
});

test.each([
  ["绑定 {{name}}", "GitHub", "绑定 GitHub"],
  ["绑定 {{name}}", "邮箱", "绑定邮箱"],
  ["使用 {{name}} 登录", "飞书", "使用飞书登录"],
  ["使用 {{name}} 登录", "OpenID 登录", "使用 OpenID 登录登录"],
  ["删除 {{name}}？", "我的 渠道", "删除我的 渠道？"],
  ["{{name}} and {{name}}", "飞书", "飞书 and 飞书"],
])("between Chinese characters stands no space: %s with %s", (text, name, filled) => {
  expect(fillText("zh-CN", text, { name })).toBe(filled);
});

test.each([
  [["zh-TW", "en"], "zh-CN"],
  [["en-GB", "zh"], "en"],
  [["de", "fr"], "en"],
  [[], "en"],
] as const)("[TEXT-56] a browser that wants %j is shown %s", (wanted, language) => {
  expect(detectLanguage(wanted)).toBe(language);
});

test("a text that is not there is its key", () => {
  expect(translate("en", ["common"], "no.such.text")).toBe("no.such.text");
});
