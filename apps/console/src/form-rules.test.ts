import type { FormErrors } from "@mantine/form";
import { createInvitations } from "@one-api/contract/accounts/invitation";
import { register, sendPasswordReset } from "@one-api/contract/accounts/registration";
import { login, updateSelf } from "@one-api/contract/accounts/user";
import { createUser, topUpUser, updateUser } from "@one-api/contract/accounts/user-management";
import type { Schema } from "@one-api/contract/call";
import { createChannel, updateChannel } from "@one-api/contract/channels/channel";
import { CHANNEL_LIMITS } from "@one-api/contract/channels/channel-constants";
import { createReceiver, updateReceiver } from "@one-api/contract/notifications/receiver";
import { createRedemptions, updateRedemption } from "@one-api/contract/redemption";
import { splitList } from "@one-api/contract/texts";
import { createToken, updateToken } from "@one-api/contract/token";
import { renderHook } from "@testing-library/react";
import { beforeAll, describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { newChannelValues, storedChannelValues } from "./features/channels/form/channel-form-model.ts";
import { useChannelProblems } from "./features/channels/form/channel-form-problems.ts";
import { sampleChannel } from "./features/channels/testing/sample-channel.ts";
import { useInvitationProblems } from "./features/invitations/invitation-form-model.ts";
import { formatTime } from "./lib/format.ts";
import { type EntryForm, refusalOfForm } from "./lib/entry-rules.ts";
import {
  newReceiverValues,
  storedReceiverValues,
  useReceiverProblems,
} from "./features/notifications/receivers/receiver-form-model.ts";
import { sampleReceiver } from "./features/notifications/testing/sample-receiver.ts";
import { useProfileProblems } from "./features/profile/profile-problems.ts";
import { useRedemptionProblems } from "./features/redemptions/redemption-form-model.ts";
import { sampleRedemption } from "./features/redemptions/testing/sample-redemption.ts";
import { expiryText } from "./features/tokens/form/expiry.ts";
import { newTokenValues, storedTokenValues, useTokenProblems } from "./features/tokens/form/token-form-model.ts";
import { sampleToken } from "./features/tokens/testing/sample-token.ts";
import { useAddBalanceProblems } from "./features/user-page/add-balance-model.ts";
import { newUserValues, storedUserValues, useUserProblems } from "./features/users/form/user-form-model.ts";
import { sampleUser } from "./features/users/testing/sample-user.ts";
import { loadTexts } from "./lib/i18n/i18n.ts";

function around(bound: number | undefined): number[] {
  return bound === undefined ? [] : [bound - 1, bound, bound + 1];
}

function lengthsAround(bound: number | undefined): string[] {
  return around(bound).flatMap((length) => (length < 0 ? [] : ["x".repeat(length)]));
}

const manyTags = (count: number) => Array.from({ length: count }, (_tag, index) => `tag-${index}`).join(",");

/** A form and the server's schema of the call that saves it. */
interface FormCase {
  readonly schema: Schema;
  /** An input that the server takes. */
  readonly accepted: Readonly<Record<string, unknown>>;
  /** Returns what the form says of its fields when one of them has the value that the server would get. */
  readonly errorsWith: (field: string, value: unknown) => FormErrors;
  readonly fields: readonly string[];
  /** Values of fields whose pattern is no bound. */
  readonly patterns?: Readonly<Record<string, readonly unknown[]>>;
}

/** The form of a page, whose fields have the names of the input's; a list of it is a comma-separated text there. */
function pageForm<Values extends object>(
  useProblems: () => (values: Values) => FormErrors,
  values: Values,
  typed: (field: string, value: unknown) => object | undefined = () => undefined,
): FormCase["errorsWith"] {
  return (field, value) => {
    const before: unknown = Reflect.get(values, field);
    const own = Array.isArray(before) && typeof value === "string" ? splitList(value) : value;
    const changed = { ...values, ...(typed(field, value) ?? { [field]: own }) };
    return renderHook(useProblems).result.current(changed);
  };
}

function entryForm(form: EntryForm, accepted: object): FormCase["errorsWith"] {
  return (field, value) => {
    const refusal = refusalOfForm(form, { ...accepted, [field]: value });
    return refusal?.field === undefined ? {} : { [refusal.field]: refusal.message };
  };
}

const expiry = (field: string, value: unknown) =>
  field === "expired_time"
    ? { expired_time: Number.isInteger(value) ? expiryText(Number(value)) : "no moment" }
    : undefined;

const pause = (field: string, value: unknown) =>
  field === "paused_until" || field === "key_expires_at"
    ? { [field]: value === 0 ? "" : Number.isInteger(value) ? formatTime(Number(value)) : "no moment" }
    : undefined;

const channelValues = { ...newChannelValues(), name: "Main", key: "sk-1", models: ["gpt-4o"] };
const storedChannel = sampleChannel({ base_url: "https://a.example.com", models: "gpt-4o" });
const channelFields = [
  "name",
  "base_url",
  "other",
  "models",
  "group",
  "tags",
  "model_mapping",
  "costs",
  "overrides",
  "dialect_urls",
  "first_token_seconds",
  "idle_seconds",
  "total_seconds",
  "paused_until",
  "key_expires_at",
  "system_prompt",
  "organization",
  "proxy",
  "soft_limit_usd",
  "test_model",
  "test_minutes",
  "balance_minutes",
  "models_minutes",
  "priority",
  "weight",
] as const;
const channelPatterns = {
  base_url: ["api.example.com", "ftp://a.example.com", "https://b.example.com"],
  models: ["a;b", "a、b", "a"],
  model_mapping: ["{oops", '["a"]', '{"a":""}', '{"a":"b"}'],
  costs: ["{oops", '{"a":{"input":-1,"output":0}}', '{"a":{"factor":1}}'],
  overrides: ["{oops", '{"body":{"set":{"model":"a"}}}', '{"body":{"remove":["top_k"]}}'],
  dialect_urls: ["{oops", '{"anthropic":"a.example.com"}', '{"cohere":"https://a.example.com"}', "{}"],
  organization: ["组织", "org-1"],
  proxy: ["proxy:1080", "ftp://p", "http://p/path", "direct", "socks5://me:word@10.0.0.1:1080"],
  // The schema transforms the value first, so JSON Schema has no bounds.
  priority: [...around(CHANNEL_LIMITS.lowestPriority), ...around(CHANNEL_LIMITS.priority), 0.5],
  weight: [-1, ...around(CHANNEL_LIMITS.weight), 0.5],
  tags: [...lengthsAround(CHANNEL_LIMITS.tagLength), ...around(CHANNEL_LIMITS.tags).map(manyTags)],
};
const tokenFields = ["name", "expired_time", "remain_quota", "models", "rpm_limit", "dpm_limit", "tpm_limit"];
const tokenPatterns = { name: ["two\nlines"], email: ["nobody", "a@example.com"], expired_time: ["no moment"] };
const registration = { username: "ann", password: "long enough" };
const loginInput = { username: "ann", password: "x" };

const token = sampleToken();
const user = sampleUser();
const redemption = sampleRedemption();
const receiver = sampleReceiver({ kind: "webhook" });
const receiverInput = {
  name: "Ops",
  kind: "webhook",
  address: "https://example.com/alerts",
  secret: `whsec_${"A".repeat(43)}=`,
  alerts: ["audit-broken", "balance-used"],
} as const;
const receiverPatterns = {
  address: ["http://example.com", "http://127.0.0.1:8080/", "https://example.com/a"],
  secret: ["whsec_short", "secret", receiverInput.secret],
};

const FORMS: Readonly<Record<string, FormCase>> = {
  "a new token": {
    schema: createToken.body,
    accepted: { name: "Main" },
    errorsWith: pageForm(() => useTokenProblems(undefined), { ...newTokenValues(), name: "Main" }, expiry),
    fields: [...tokenFields, "batch_number", "email", "custom_contact"],
    patterns: tokenPatterns,
  },
  "a stored token": {
    schema: updateToken.body,
    accepted: { id: token.id },
    errorsWith: pageForm(() => useTokenProblems(token), storedTokenValues(token), expiry),
    fields: [...tokenFields, "recharge_quota", "email", "custom_contact"],
    patterns: tokenPatterns,
  },
  "a new channel": {
    schema: createChannel.body,
    accepted: { type: 1, name: "Main", key: "sk-1" },
    errorsWith: pageForm(() => useChannelProblems(undefined), channelValues, pause),
    fields: [...channelFields, "key"],
    patterns: channelPatterns,
  },
  "a stored channel": {
    schema: updateChannel.body,
    accepted: { id: storedChannel.id },
    // With its key, as another address needs it.
    errorsWith: pageForm(
      () => useChannelProblems(storedChannel),
      { ...storedChannelValues(storedChannel), key: "sk-1" },
      pause,
    ),
    fields: channelFields,
    patterns: channelPatterns,
  },
  "a new user": {
    schema: createUser.body,
    accepted: { username: "ann", password: "long enough" },
    errorsWith: pageForm(() => useUserProblems(undefined), { ...newUserValues(), ...registration }),
    fields: ["username", "display_name", "password"],
    patterns: { password: ["", "1234567", "12345678"] },
  },
  "a stored user": {
    schema: updateUser.body,
    accepted: { id: user.id },
    errorsWith: pageForm(() => useUserProblems(user), storedUserValues(user)),
    fields: ["username", "display_name", "password", "group", "quota"],
    patterns: { password: ["", "1234567", "12345678"] },
  },
  "the own profile": {
    schema: updateSelf.body,
    accepted: { username: "ann" },
    errorsWith: pageForm(useProfileProblems, { username: "ann", display_name: "", password: "" }),
    fields: ["username", "display_name", "password"],
    patterns: { password: ["", "1234567", "12345678"] },
  },
  "new codes": {
    schema: createRedemptions.body,
    accepted: { name: "Gift" },
    errorsWith: pageForm(() => useRedemptionProblems(undefined), { name: "Gift", quota: 1, count: 1 }),
    fields: ["name", "quota", "count"],
  },
  "a stored code": {
    schema: updateRedemption.body,
    accepted: { id: redemption.id },
    errorsWith: pageForm(() => useRedemptionProblems(redemption), { name: "Gift", quota: 1, count: 1 }),
    fields: ["name", "quota"],
  },
  "an amount added to a user's balance": {
    schema: topUpUser.body,
    accepted: { user_id: 7, quota: 1 },
    errorsWith: pageForm(() => useAddBalanceProblems(7), { quota: 1, remark: "" }),
    fields: ["quota", "remark"],
  },
  invitations: {
    schema: createInvitations.body,
    accepted: { name: "Team" },
    errorsWith: pageForm(useInvitationProblems, { name: "Team", group: [], quota: 0, days: 1, count: 1 }),
    fields: ["name", "group", "quota", "days", "count"],
  },
  "a new receiver": {
    schema: createReceiver.body,
    accepted: receiverInput,
    errorsWith: pageForm(() => useReceiverProblems(undefined), {
      ...newReceiverValues(),
      ...receiverInput,
      alerts: [...receiverInput.alerts],
    }),
    fields: ["name", "address", "secret"],
    patterns: receiverPatterns,
  },
  "a stored receiver": {
    schema: updateReceiver.body,
    accepted: { ...receiverInput, id: receiver.id, address: "", secret: "" },
    errorsWith: pageForm(() => useReceiverProblems(receiver.id), storedReceiverValues(receiver)),
    fields: ["name", "address", "secret"],
    patterns: receiverPatterns,
  },
  "the login": {
    schema: login.body,
    accepted: loginInput,
    errorsWith: entryForm("login", loginInput),
    fields: ["username", "password"],
  },
  "the registration": {
    schema: register.body,
    accepted: registration,
    errorsWith: entryForm("registration", registration),
    fields: ["username", "password", "email", "verification_code", "invitation"],
    patterns: { password: ["1234567", "12345678"] },
  },
  "an address for a mail": {
    schema: sendPasswordReset.query,
    accepted: { email: "a@example.com" },
    errorsWith: entryForm("email", {}),
    fields: ["email"],
    patterns: { email: ["nobody", "a@example.com"] },
  },
};

interface Bounds {
  readonly type?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
}

/** The bounds of each field, as JSON Schema says them. */
function boundsOf(schema: Schema): ReadonlyMap<string, Bounds> {
  const { properties = {} } = z.toJSONSchema(schema, { unrepresentable: "any", io: "output" });
  return new Map(
    Object.entries(properties).map(([field, property]): [string, Bounds] => [
      field,
      typeof property === "boolean" ? {} : property,
    ]),
  );
}

/** Values at the bounds and one beyond them. */
function valuesAt({ minimum, maximum, minLength, maxLength }: Bounds): unknown[] {
  const numbers = [...around(minimum), ...around(maximum), ...(minimum === undefined ? [] : [minimum + 0.5])];
  return [...numbers, ...lengthsAround(minLength), ...lengthsAround(maxLength)];
}

beforeAll(() =>
  loadTexts([
    "tokens",
    "budgets",
    "channel-form",
    "user-page",
    "users",
    "profile",
    "redemptions",
    "invitations",
    "notifications",
    "refusals",
  ]),
);

describe.each(Object.entries(FORMS))("the form of %s", (_name, { schema, accepted, errorsWith, fields, patterns }) => {
  const bounds = boundsOf(schema);
  const cases = fields.map((field) => ({
    field,
    values: [...valuesAt(bounds.get(field) ?? {}), ...(patterns?.[field] ?? [])],
  }));

  test.each(cases)("judges $field as the server does", ({ field, values }) => {
    expect(values.length, "the field has no bound to be tried").toBeGreaterThan(0);
    const shorten = (value: unknown) => (typeof value === "string" && value.length > 40 ? value.length : value);
    const byServer = values.map((value) => [
      shorten(value),
      schema.safeParse({ ...accepted, [field]: value }).error?.issues.some(({ path }) => path[0] === field) === true,
    ]);
    const byForm = values.map((value) => [shorten(value), Object.hasOwn(errorsWith(field, value), field)]);
    expect(byForm).toEqual(byServer);
    expect(new Set(byServer.map(([, isRefused]) => isRefused)).size, "both verdicts occur").toBe(2);
  });
});
