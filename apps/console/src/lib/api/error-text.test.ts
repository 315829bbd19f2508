import { HTTP_STATUS_OF_ERROR } from "@one-api/contract/error-codes";
import { afterEach, expect, test } from "vitest";
import english from "../../locales/en/refusals.json";
import { ApiError } from "./api-error.ts";
import { errorText, loadErrorTexts } from "./error-text.ts";
import { changeLanguage, loadTexts } from "../i18n/i18n.ts";

afterEach(() => changeLanguage("en"));

const refusal = (details: Partial<ConstructorParameters<typeof ApiError>[0]>) =>
  new ApiError({ kind: "refused", status: 200, message: "The server's words.", ...details });

test("[TEXT-55] every code of the contract has a text, and no other has one", () => {
  const { fields: _fields, problems: _problems, ...texts } = english;
  expect(Object.keys(texts).toSorted()).toEqual(Object.keys(HTTP_STATUS_OF_ERROR).toSorted());
});

test("a refusal is said in the reader's language", async () => {
  const error = refusal({ code: "wrong-credentials" });
  expect(errorText(error)).toBe("Wrong username or password.");
  await changeLanguage("zh-CN");
  await loadErrorTexts();
  expect(errorText(error)).toBe("用户名或密码错误。");
});

test.each([
  ["a code of a newer server", { code: "made-up-later" }],
  ["no code, from an older server", {}],
  ["a code that says less than the message", { code: "not-supported" }],
  ["an input refused for a reason of its own", { code: "invalid-input", field: "key" }],
  ["a problem whose values are missing", { code: "invalid-input", field: "key", values: { problem: "too-long" } }],
  ["a code called as what every object has", { code: "constructor" }],
])("%s leaves the server's words", (_what, details) => {
  expect(errorText(refusal(details))).toBe("The server's words.");
});

test.each([
  [{ field: "name", values: { problem: "missing" } }, "Name is required."],
  [{ field: "models.3", values: { problem: "too-long", limit: 128 } }, "Models must be at most 128 characters long."],
  [{ field: "size", values: { problem: "not-one-of", choices: "10, 20" } }, "Rows per page must be one of: 10, 20."],
  [{ field: "unheard_of", values: { problem: "too-big", limit: 9 } }, "unheard_of must be at most 9."],
])("a refused input names field and fix: %o", (details, text) => {
  expect(errorText(refusal({ kind: "http", status: 400, code: "invalid-input", ...details }))).toBe(text);
});

test("what browsers say when the network is gone is replaced: it is in no language of the console", () => {
  expect(errorText(refusal({ kind: "network", status: 0, message: "Failed to fetch" }))).toBe(
    "cannot connect to the server",
  );
});

test.each([
  [502, "Cannot reach the server. It may be restarting: try again in a moment. (HTTP 502)", /^无法连接服务器/],
  [504, "Cannot reach the server. It may be restarting: try again in a moment. (HTTP 504)", /^无法连接服务器/],
  [404, /^The response did not come from this server/, /^响应不是来自本服务器/],
  [200, /^The response did not come from this server/, /^响应不是来自本服务器/],
])(
  "an answer %i that is none of this API says who answered, in the reader's language",
  async (status, text, chinese) => {
    const error = refusal({ kind: "http", status, message: `${status} OK`, isForeign: true });
    expect(errorText(error)).toMatch(text);
    await changeLanguage("zh-CN");
    expect(errorText(error)).toMatch(chinese);
  },
);

test("refused settings are named as their page names them, once its texts are there", async () => {
  const error = refusal({
    code: "option-needs",
    values: { option: "GitHubOAuthEnabled", missing: "GitHubClientId, GitHubClientSecret" },
  });
  await loadTexts(["settings"]);
  expect(errorText(error)).toBe(
    "Set “GitHub client ID”, “GitHub client secret” before you turn on “Login and sign-up with GitHub”.",
  );
  const redis = refusal({ code: "option-needs", values: { option: "CacheChannelEnabled", missing: "REDIS_URL" } });
  expect(errorText(redis)).toBe("Set REDIS_URL before you turn on “Cache channels in Redis”.");
  const address = refusal({
    code: "option-address",
    values: { option: "ServerAddress", protocols: "http://,https://" },
  });
  expect(errorText(address)).toBe("“Server address” must be empty or a URL that starts with http:// or https://.");
  await changeLanguage("zh-CN");
  await loadTexts(["settings", "refusals"]);
  expect(errorText(error)).not.toMatch(/GitHubClientId|GitHubOAuthEnabled/);
});
