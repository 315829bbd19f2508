import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import { expect, test } from "vitest";
import { SYSTEM_SECTIONS } from "../fields/system-options.ts";
import { changedOptions, type OptionField, type SavedOptions, secretsToRetype } from "./option-draft.ts";

const saved: SavedOptions = {
  values: { SMTPServer: "mail.example", SMTPPort: "587", SMTPAccount: "us", ServerAddress: "https://a.example" },
  secrets: ["SMTPToken"],
  defaults: {},
};
const fieldsOf = (id: string) => SYSTEM_SECTIONS.find((section) => section.id === id)?.fields ?? [];
const smtp = fieldsOf("smtp");

test("[OPER-09] [SYS-20] [SYS-23] only what changed is saved, and no empty port or secret", () => {
  const draft = { SMTPServer: " mail.example ", SMTPPort: "", SMTPAccount: "them", SMTPToken: "" };
  expect(changedOptions(smtp, draft, saved)).toEqual([{ key: "SMTPAccount", value: "them" }]);
});

test.each([
  ["[SYS-23] SMTPToken", "smtp"],
  ["[SYS-25] GitHubClientSecret", "github"],
  ["[SYS-27] LarkClientSecret", "lark"],
  ["[SYS-29] WeChatServerToken", "wechat"],
  ["[SYS-32] MessagePusherToken", "pusher"],
  ["[SYS-34] TurnstileSecretKey", "turnstile"],
])("%s is saved only when something is typed", (name, id) => {
  const key = name.split(" ")[1] ?? "";
  const stored = { values: {}, secrets: [key], defaults: {} };
  for (const draft of [{}, { [key]: "" }, { [key]: "  " }])
    expect(changedOptions(fieldsOf(id), draft, stored)).toEqual([]);
  expect(changedOptions(fieldsOf(id), { [key]: "word" }, stored)).toEqual([{ key, value: "word" }]);
});

test("[SYS-36] addresses lose their trailing slashes before they are compared and saved", () => {
  const general = fieldsOf("server");
  expect(changedOptions(general, { ServerAddress: "https://a.example//" }, saved)).toEqual([]);
  expect(changedOptions(general, { ServerAddress: " https://b.example/ " }, saved)).toEqual([
    { key: "ServerAddress", value: "https://b.example" },
  ]);
  expect(changedOptions(general, { HttpProxy: "socks5://10.0.0.1:1080/" }, saved)).toEqual([
    { key: "HttpProxy", value: "socks5://10.0.0.1:1080" },
  ]);
});

test("an emptied address that stands for the one that was saved is no change, and asks for no secret", () => {
  const taken = SYSTEM_SECTIONS.flatMap(({ fields }): readonly OptionField[] => fields).filter(
    ({ isPlaceholderTaken }) => isPlaceholderTaken,
  );
  expect(Object.fromEntries(taken.map(({ key, placeholder }) => [key, placeholder]))).toEqual({
    GitHubAddress: OPTION_DEFINITIONS.GitHubAddress.default,
    LarkAddress: OPTION_DEFINITIONS.LarkAddress.default,
    TurnstileAddress: OPTION_DEFINITIONS.TurnstileAddress.default,
  });
  const github = fieldsOf("github");
  const stored = { values: { GitHubAddress: "https://github.com" }, secrets: ["GitHubClientSecret"], defaults: {} };
  expect(changedOptions(github, { GitHubAddress: "" }, stored)).toEqual([]);
  expect(secretsToRetype(github, { GitHubAddress: "" }, stored)).toEqual([]);
  const elsewhere = { ...stored, values: { GitHubAddress: "https://git.example" } };
  expect(changedOptions(github, { GitHubAddress: "" }, elsewhere)).toEqual([{ key: "GitHubAddress", value: "" }]);
});

test("limits in another format are no change", () => {
  const limits: readonly OptionField[] = [{ key: "GroupLimits", kind: "limits" }];
  const stored = { ...saved, values: { GroupLimits: '{"vip":{"rpm_limit":1}}' } };
  expect(changedOptions(limits, { GroupLimits: '{\n  "vip": { "rpm_limit": 1 }\n}' }, stored)).toEqual([]);
  expect(changedOptions(limits, { GroupLimits: "" }, stored)).toEqual([{ key: "GroupLimits", value: "" }]);
});

test("a secret goes after the address that it is sent to, or the server would forget it again", () => {
  const keys = changedOptions(smtp, { SMTPToken: "word", SMTPServer: "other.example" }, saved).map(({ key }) => key);
  expect(keys).toEqual(["SMTPServer", "SMTPToken"]);
});

test("a changed address asks for its secret again, unless none is set", () => {
  const draft = { SMTPServer: "other.example" };
  expect(secretsToRetype(smtp, draft, saved)).toEqual(["SMTPToken"]);
  expect(secretsToRetype(smtp, { ...draft, SMTPToken: "word" }, saved)).toEqual([]);
  expect(secretsToRetype(smtp, draft, { ...saved, secrets: [] })).toEqual([]);
  expect(secretsToRetype(smtp, { SMTPAccount: "them" }, saved)).toEqual([]);
});
