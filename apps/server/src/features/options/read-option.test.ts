import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OPTION_DEFINITIONS, OPTION_KEYS, type OptionKey } from "@one-api/contract/options/option-definitions";
import { AppError } from "../../core/app-error.ts";
import { readOption } from "./read-option.ts";

const ACCEPTED: readonly [key: OptionKey, text: string, stored: string, value: unknown][] = [
  ["RegisterEnabled", "true", "true", true],
  ["RegisterEnabled", " false ", "false", false],
  ["RetryTimes", "007", "7", 7],
  ["QuotaForNewUser", "0", "0", 0],
  ["QuotaPerUnit", "500000.25", "500000.25", 500_000.25],
  ["Theme", "berry", "berry", "berry"],
  ["ServerAddress", "https://ai.example/", "https://ai.example", "https://ai.example"],
  ["ServerAddress", "", "", ""],
  ["HttpProxy", "http://us:word@10.0.0.1:3128", "http://us:word@10.0.0.1:3128", "http://us:word@10.0.0.1:3128"],
  ["TopUpLink", " https://shop.example/a/ ", "https://shop.example/a/", "https://shop.example/a/"],
  ["HttpProxy", "socks5://10.0.0.1:1080/", "socks5://10.0.0.1:1080", "socks5://10.0.0.1:1080"],
  ["Notice", "# Hello\n\n<b>all</b>\n", "# Hello\n\n<b>all</b>\n", "# Hello\n\n<b>all</b>\n"],
  ["SMTPToken", " word ", "word", "word"],
  ["ModelRatio", "", "{}", new Map()],
  [
    "ModelRatio",
    '{"gpt-4":15,"free":0}',
    '{"gpt-4":15,"free":0}',
    new Map([
      ["gpt-4", 15],
      ["free", 0],
    ]),
  ],
  [
    "ModelRatio",
    '{"constructor":1,"toString":2}',
    '{"constructor":1,"toString":2}',
    new Map([
      ["constructor", 1],
      ["toString", 2],
    ]),
  ],
];

const REFUSED: readonly [key: OptionKey, text: string, message: RegExp][] = [
  ["RegisterEnabled", "yes", /^RegisterEnabled must be one of: true, false\.$/],
  ["RetryTimes", "-1", /^RetryTimes must be a whole number from 0 to 10\.$/],
  ["RetryTimes", "11", /^RetryTimes must be a whole number from 0 to 10\.$/],
  ["RetryTimes", "1.5", /^RetryTimes must be a whole number/],
  ["RetryTimes", "", /^RetryTimes must be a whole number/],
  ["QuotaForNewUser", "9007199254740993", /^QuotaForNewUser must be/],
  ["SMTPPort", "65536", /^SMTPPort must be a whole number from 1 to 65535\.$/],
  ["QuotaPerUnit", "0", /^QuotaPerUnit must be a number from 0\.01 to 1000000000\.$/],
  ["QuotaPerUnit", "1e5", /^QuotaPerUnit must be/],
  ["Theme", "pink", /^Theme must be one of: default, berry, air\.$/],
  ["UnpricedModels", "maybe", /^UnpricedModels must be one of: fallback, refuse, ask\.$/],
  ["PoolMode", "", /^PoolMode must be one of: random, polling, cheapest\.$/],
  ["ServerAddress", "ai.example", /^ServerAddress must be an address that begins with http:\/\/ or https:\/\//],
  ["ServerAddress", "javascript:alert(1)", /^ServerAddress must be/],
  ["WeChatServerAddress", "socks5://x", /^WeChatServerAddress must be/],
  ["HttpProxy", "ftp://x", /^HttpProxy must be/],
  ["TopUpLink", "javascript:alert(1)", /^TopUpLink must be an address/],
  ["ChatLink", "chat.example", /^ChatLink must be an address that begins with http/],
  ["ServerAddress", "https://us:word@ai.example", /^ServerAddress must not carry a user name or password\.$/],
  ["ModelRatio", '{"gpt-4":1000001}', /^ModelRatio: the ratio of "gpt-4" at line 1, column 10 must be a number from 0/],
  ["SystemName", "One\r\nBcc: all@example.com", /^SystemName must be one line/],
  ["Notice", "x".repeat(65_537), /^Notice must have at most 65536 characters/],
  ["ModelRatio", "{", /^ModelRatio is not valid JSON at line 1, column 2\.$/],
  ["GroupRatio", '{\n  "vip": 1\n  "svip": 2\n}', /^GroupRatio is not valid JSON at line 3, column 3\.$/],
  ["ModelRatio", '{"gpt-4":15,"gpt-4":1}', /^ModelRatio has "gpt-4" twice, again at line 1, column 13\. Leave one\.$/],
  ["ModelRatio", '{"":15}', /^ModelRatio: "" at line 1, column 2 is no name of a ratio/],
  ["ModelRatio", "[]", /^ModelRatio must be a JSON object/],
  ["ModelRatio", "null", /^ModelRatio must be a JSON object/],
  [
    "ModelRatio",
    '{"gpt-4":15,"gpt-5":"2"}',
    /^ModelRatio: the ratio of "gpt-5" at line 1, column 21 must be a number from 0 to 1000000\.$/,
  ],
  ["CompletionRatio", '{"gpt-4":-1}', /^CompletionRatio: the ratio of "gpt-4"/],
  ["GroupRatio", '{"vip":1e999}', /^GroupRatio: the ratio of "vip"/],
  ["ModelRatio", '{"__proto__":1}', /^ModelRatio: "__proto__" at line 1, column 2 is no name/],
];

describe("an option's text", () => {
  for (const [key, text, stored, value] of ACCEPTED) {
    test(`${key} accepts ${JSON.stringify(text)}`, () =>
      assert.deepEqual(readOption(key, text), { text: stored, value }));
  }
  for (const [key, text, message] of REFUSED) {
    test(`${key} refuses ${JSON.stringify(text.slice(0, 30))} with the expected form`, () => {
      assert.throws(
        () => readOption(key, text),
        (error) =>
          error instanceof AppError && error.status === 400 && error.field === "value" && message.test(error.message),
      );
    });
  }
  for (const key of OPTION_KEYS.filter((name) => ["address", "link"].includes(OPTION_DEFINITIONS[name].kind))) {
    test(`${key} refuses metadata addresses`, () => {
      for (const host of [
        "169.254.169.254",
        "[fe80::1]",
        "metadata.google.internal",
        "2852039166",
        "[::ffff:a9fe:a9fe]",
      ])
        assert.throws(() => readOption(key, `http://${host}/latest`), { code: "option-address-metadata" }, host);
    });
  }
  test("every default can be read", () => {
    for (const key of OPTION_KEYS)
      assert.equal(readOption(key, OPTION_DEFINITIONS[key].default).text, OPTION_DEFINITIONS[key].default);
  });
});

test("the mail server cannot be a link-local or metadata address in any notation", () => {
  for (const host of [
    "169.254.169.254",
    "0xA9FEA9FE",
    "[fe80::1]",
    "fe80::1",
    "fe80::1%eth0",
    "FD00:EC2:0::254",
    "::ffff:169.254.169.254",
    "metadata.google.internal",
    "169.254.1.2:25",
  ]) {
    assert.throws(() => readOption("SMTPServer", host), { code: "option-address-metadata" }, host);
  }
  for (const host of ["smtp.example.com", "localhost", "10.0.0.25:2525", "2001:db8::25", ""]) {
    assert.equal(readOption("SMTPServer", host).text, host);
  }
});
