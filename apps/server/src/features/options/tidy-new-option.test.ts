import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { OPTION_DEFINITIONS, OPTION_KEYS, type OptionKey } from "@one-api/contract/options/option-definitions";
import { AppError } from "../../core/app-error.ts";
import { readOption } from "./read-option.ts";
import { tidyNewOption } from "./tidy-new-option.ts";

const ACCEPTED: readonly (readonly [key: OptionKey, typed: string, stored: string])[] = [
  ["SMTPServer", " smtp.example.com ", "smtp.example.com"],
  ["SMTPServer", "mail_relay", "mail_relay"],
  ["SMTPServer", "10.0.0.25", "10.0.0.25"],
  ["SMTPServer", "fd00::25", "fd00::25"],
  ["SMTPFrom", "noreply@example.com", "noreply@example.com"],
  ["SMTPFrom", "One API <noreply@example.com>", "One API <noreply@example.com>"],
  ["SMTPFrom", '"One, API" <noreply@example.com>', '"One, API" <noreply@example.com>'],
  ["EmailDomainWhitelist", "@Gmail.com, example.com,", "gmail.com,example.com"],
  ["ServerAddress", "https://ai.example/gateway/", "https://ai.example/gateway"],
  ["OidcIssuer", "https://login.example/realms/one/", "https://login.example/realms/one"],
  ["ModelRatio", '{"gpt-4o":1}', '{"gpt-4o":1}'],
  ...(["SMTPServer", "SMTPFrom", "EmailDomainWhitelist", "ServerAddress", "OidcIssuer"] as const).map(
    (key) => [key, "", ""] as const,
  ),
];

const REFUSED: readonly [key: OptionKey, typed: string, message: RegExp][] = [
  ["SMTPServer", "smtp.example.com:587", /^SMTPServer must be the name .* SMTPPort\.$/],
  ["SMTPServer", "http://smtp.example.com", /^SMTPServer must be the name/],
  ["SMTPServer", "smtp.example.com/", /^SMTPServer must be the name/],
  ["SMTPServer", "smtp example com", /^SMTPServer must be the name/],
  ["SMTPFrom", "not an address", /^SMTPFrom must be an e-mail address/],
  ["SMTPFrom", "One API <noreply>", /^SMTPFrom must be an e-mail address/],
  ["SMTPFrom", "a@example.com, b@example.com", /^SMTPFrom must be an e-mail address/],
  [
    "EmailDomainWhitelist",
    "gmail.com;qq.com",
    /^EmailDomainWhitelist: "gmail\.com;qq\.com" is no domain\. .*commas\.$/,
  ],
  ["EmailDomainWhitelist", "gmail.com，qq.com", /^EmailDomainWhitelist: .* is no domain/],
  ["EmailDomainWhitelist", "me@gmail.com", /^EmailDomainWhitelist: "me@gmail\.com" is no domain/],
  ["ServerAddress", "https://ai.example/?a=1", /^ServerAddress must be the address alone/],
  ["ServerAddress", "https://ai.example/#/home", /^ServerAddress must be the address alone/],
  [
    "OidcIssuer",
    "https://login.example/realms/one/.well-known/openid-configuration",
    /^OidcIssuer must be .*: https:\/\/login\.example\/realms\/one\.$/,
  ],
  ["ModelRatio", '{"gpt-4o ":1}', /^ModelRatio: the name "gpt-4o " begins or ends with a space/],
  ["GroupRatio", '{" vip":1}', /^GroupRatio: the name " vip"/],
  ["ModelAliases", '{"fast":["a"],"fast":["b"]}', /^ModelAliases: "fast" is there twice/],
  ["GroupLimits", '{"vip":{"rpm_limit":1,"rpm_limit":2}}', /^GroupLimits: "rpm_limit" is there twice/],
  [
    "ModelAliases",
    '{"fast":[{"model":"a","when":{"promt_to":9}}]}',
    /^ModelAliases: "fast\.0\.when\.promt_to" is unknown\. Did you mean prompt_to\?$/,
  ],
  ["ModelAliases", '{"fast":[{"modle":"a"}]}', /"fast\.0\.modle" is unknown\. Did you mean model\?$/],
  ["GroupLimits", '{"vip":{"rmp_limit":1}}', /^GroupLimits: "vip\.rmp_limit" is unknown\. Did you mean rpm_limit\?$/],
  ["RetryTimes", "x", /^RetryTimes must be a whole number/],
];

describe("a new value of an option", () => {
  for (const [key, typed, stored] of ACCEPTED)
    test(`${key}=${typed} is accepted`, () => assert.equal(tidyNewOption(key, typed), stored));

  for (const [key, typed, message] of REFUSED) {
    test(`${key}=${typed} is refused with the fix`, () => {
      assert.throws(
        () => tidyNewOption(key, typed),
        (error) => error instanceof AppError && error.status === 400 && message.test(error.message),
      );
    });
  }

  test("may be the default", () => {
    for (const key of OPTION_KEYS) tidyNewOption(key, OPTION_DEFINITIONS[key].default);
  });
});

test("[OPER-13] a new number has no more decimals than declared; a stored one is still read", () => {
  assert.equal(tidyNewOption("QuotaPerUnit", "500000.25"), "500000.25");
  assert.equal(tidyNewOption("RetryTimes", "5"), "5");
  assert.throws(() => tidyNewOption("QuotaPerUnit", "500000.005"), {
    code: "option-decimals",
    message: "QuotaPerUnit must have at most 2 digits after the point.",
  });
  assert.equal(readOption("QuotaPerUnit", "500000.005").value, 500_000.005);
});
