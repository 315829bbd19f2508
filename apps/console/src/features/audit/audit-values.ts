import { LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { channelTypeLabel } from "@one-api/contract/channels/channel-types";
import { LOG_TYPE } from "@one-api/contract/constants";
import { REDEMPTION_STATUS } from "@one-api/contract/redemption-constants";
import { NEVER_EXPIRES, TOKEN_STATUS } from "@one-api/contract/token-constants";
import { USER_STATUS } from "@one-api/contract/accounts/user-constants";
import { formatMoney, formatPercent, formatSeconds, formatTime } from "../../lib/format.ts";
import { currentLanguage, rawText } from "../../lib/i18n/i18n.ts";
import type { TextKey } from "../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { useAlertWords } from "./later-words.ts";
import { ROLE_NAMES } from "../users/user-looks.tsx";

/** A value of an audit entry, with the noun of its field or the option that it belongs to. */
interface AuditValue {
  readonly object: string;
  readonly field: string;
  readonly text: string;
  /** Metric of the entry's chart alert, which says what its threshold counts. */
  readonly metric?: string | undefined;
}

type ValueTextKey = TextKey<"audit" | "budgets" | "channels" | "common" | "logs" | "redemptions" | "tokens" | "users">;

type Meaning =
  | { readonly kind: "moment"; readonly time: number }
  | { readonly kind: "quota"; readonly quota: number }
  | { readonly kind: "words"; readonly key: ValueTextKey; readonly count?: number }
  | { readonly kind: "plain"; readonly text: string };

const words = (key: ValueTextKey): Meaning => ({ kind: "words", key });

const UNIX_SECONDS = /^[1-9]\d{9}$/;
const MOMENTS = /(?:_time|_at|_until|Timestamp|^until|^target|^started)$/;
const WHOLE_NUMBER = /^-?\d{1,15}$/;
const QUOTA_FIELDS = /(?:^|[_.])quota$|^quota_ceiling$/;
const QUOTA_OPTIONS: ReadonlySet<string> = new Set([
  "QuotaForNewUser",
  "QuotaForInviter",
  "QuotaForInvitee",
  "QuotaRemindThreshold",
  "PreConsumedQuota",
]);
const FLAG_COLUMNS: ReadonlySet<string> = new Set([
  "unlimited_quota",
  "moderations_enable",
  "keep_bodies",
  "calc_prompt",
]);
const LIMITS: ReadonlySet<string> = new Set([...LIMIT_FIELDS, "soft_limit_usd"]);
const CUT_TEXT = /^\((\d+) characters\)$/;

/** `all` is a filter only. */
const { all: _all, ...ENTRY_TYPES } = LOG_TYPE;

function nameOf<Name extends string>(numbers: Readonly<Record<Name, number>>, text: string): Name | undefined {
  const isName = (name: string): name is Name => Object.hasOwn(numbers, name);
  return Object.keys(numbers)
    .filter(isName)
    .find((name) => String(numbers[name]) === text);
}

function stateOf(noun: string, text: string): ValueTextKey | undefined {
  if (noun === "user") {
    const name = nameOf(USER_STATUS, text);
    if (name === "deleted") return "audit:values.deleted";
    return name === undefined ? undefined : name === "enabled" ? "users:status.activated" : "users:status.banned";
  }
  if (noun === "token") {
    const name = nameOf(TOKEN_STATUS, text);
    return name && `tokens:status.${name}`;
  }
  if (noun === "redemption") {
    const name = nameOf(REDEMPTION_STATUS, text);
    return name && `redemptions:status.${name}`;
  }
  const name = noun === "channel" ? nameOf(CHANNEL_STATUS, text) : undefined;
  return name && `channels:status.${name}`;
}

function typeOf(noun: string, text: string): Meaning | undefined {
  if (noun === "channel") {
    const known = WHOLE_NUMBER.test(text) ? channelTypeLabel(Number(text), currentLanguage()) : undefined;
    return known === undefined ? undefined : { kind: "plain", text: known };
  }
  const type = noun === "log" ? nameOf(ENTRY_TYPES, text) : undefined;
  return type && words(`logs:types.${type}`);
}

function roleOf(text: string): Meaning | undefined {
  const name = ROLE_NAMES.find(([role]) => String(role) === text)?.[1];
  return name && words(`users:role.${name}`);
}

function flagOf({ object, field, text }: AuditValue): Meaning | undefined {
  if (text === "true") return words(object.startsWith("option:") ? "audit:values.on" : "audit:values.yes");
  if (text === "false") return words(object.startsWith("option:") ? "audit:values.off" : "audit:values.no");
  if (!FLAG_COLUMNS.has(field) || (text !== "0" && text !== "1")) return undefined;
  return words(text === "1" ? "audit:values.yes" : "audit:values.no");
}

function limitOf(field: string, text: string): Meaning | undefined {
  if (!LIMITS.has(field)) return undefined;
  if (text === "0") return words("audit:values.unlimited");
  return field === "soft_limit_usd" && WHOLE_NUMBER.test(text)
    ? { kind: "plain", text: formatMoney(Number(text)) }
    : undefined;
}

/** Fields of moments end in `_time`, `_at` or `_until`; durations have fewer than ten digits. */
function momentOf(field: string, text: string): Meaning | undefined {
  if (field === "response_time" && WHOLE_NUMBER.test(text))
    return { kind: "plain", text: text === "0" ? "–" : formatSeconds(Number(text)) };
  if (!MOMENTS.test(field)) return undefined;
  if (UNIX_SECONDS.test(text)) return { kind: "moment", time: Number(text) };
  if (text === String(NEVER_EXPIRES)) return words("audit:values.never");
  return text === "0" ? { kind: "plain", text: "–" } : undefined;
}

function placeholderOf(field: string, text: string): Meaning | undefined {
  if (text === "(secret)") return words("audit:values.secret");
  if (text === "changed" && field === "password") return words("audit:values.changed");
  const length = CUT_TEXT.exec(text)?.[1];
  return length === undefined ? undefined : { kind: "words", key: "audit:values.characters", count: Number(length) };
}

function periodOf(field: string, text: string): Meaning | undefined {
  if (field !== "budget.period") return undefined;
  return text === "daily" || text === "weekly" || text === "monthly" ? words(`budgets:${text}`) : undefined;
}

/** The metric of a chart alert among the details of its entry. */
export function metricIn(details: readonly { field: string; to: string }[]): string | undefined {
  return details.find(({ field }) => field === "metric")?.to;
}

const SHARES: ReadonlySet<string> = new Set(["errors", "cache"]);

function thresholdOf(field: string, text: string, metric = ""): Meaning | undefined {
  if (field !== "threshold") return undefined;
  if (metric === "spend" || metric === "margin") return { kind: "quota", quota: Number(text) };
  if (SHARES.has(metric)) return { kind: "plain", text: formatPercent(Number(text), currentLanguage(), 1) };
  return metric.startsWith("first_byte") ? { kind: "plain", text: formatSeconds(Number(text)) } : undefined;
}

/** Returns the kind of a value: moment, quota or named number; undefined for plain ones. */
export function meaningOf({ object, field, text, metric }: AuditValue): Meaning | undefined {
  const [noun = "", option = ""] = object.split(":");
  const isQuota = QUOTA_FIELDS.test(field) || (noun === "option" && QUOTA_OPTIONS.has(option) && field === "value");
  if (isQuota && field !== "unlimited_quota" && WHOLE_NUMBER.test(text)) return { kind: "quota", quota: Number(text) };
  const state = field === "status" ? stateOf(noun, text) : undefined;
  if (state !== undefined) return words(state);
  return (
    (field === "type" ? typeOf(noun, text) : undefined) ??
    (field === "role" ? roleOf(text) : undefined) ??
    flagOf({ object, field, text }) ??
    limitOf(field, text) ??
    thresholdOf(field, text, metric) ??
    momentOf(field, text) ??
    periodOf(field, text) ??
    placeholderOf(field, text)
  );
}

/**
 * Returns a formatter of values in one line: moments in the viewer's zone, quota as money, named numbers as words,
 * empty ones as a dash.
 */
export function useValueText(): (value: AuditValue) => string {
  const quota = useFormatQuota();
  const { t } = useTranslation("audit", "budgets", "channels", "common", "logs", "redemptions", "tokens", "users");
  const alertWords = useAlertWords();
  return (value) => {
    const meaning = meaningOf(value);
    if (meaning === undefined) return alertWords(value.object, value.field, value.text) ?? (value.text || "–");
    if (meaning.kind === "moment") return formatTime(meaning.time);
    if (meaning.kind === "quota") return quota(meaning.quota);
    if (meaning.kind === "plain") return meaning.text;
    return t(meaning.key, meaning.count === undefined ? {} : { count: meaning.count });
  };
}

/** Returns a function that names a field: in words if known, else by its key. Members of lists follow their field. */
export function useFieldName(): (field: string) => string {
  const { t, language } = useTranslation("audit");
  const known = (field: string) => rawText(language, ["audit"], `fields.${field.replaceAll(".", "_")}`);
  return (field) => {
    const [first = "", ...rest] = field.split(".");
    const whole = known(field);
    const head = known(first);
    if (whole !== undefined || head === undefined) return whole ?? field;
    // An entry of a setting, which the object names.
    return first === "value" ? rest.join(".") : t("named", { name: head, value: rest.join(".") });
  };
}
