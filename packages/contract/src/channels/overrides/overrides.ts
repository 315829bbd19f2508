import * as z from "zod/mini";
import { isHeaderText } from "../../texts.ts";
import { concernedFields } from "./override-fields.ts";

export const OVERRIDE_LIMITS = {
  length: 16_000,
  entries: 100,
  nameLength: 200,
  headerLength: 2_000,
  depth: 8,
} as const;
const MAX_TOKENS = 2 ** 30 - 1;

function actionsSchema<Value extends z.ZodMiniType>(value: Value) {
  return z.strictObject({
    set: z.optional(z.record(z.string(), value)),
    default: z.optional(z.record(z.string(), value)),
    remove: z.optional(z.array(z.string())),
  });
}

/** `overrides`, parsed. Fields of a body are named by their path, with dots. */
const overridesSchema = z.strictObject({
  headers: z.optional(actionsSchema(z.string())),
  body: z.optional(actionsSchema(z.json())),
});

export type Overrides = z.infer<typeof overridesSchema>;
export type OverrideAction = "set" | "default" | "remove";

/** One change of upstream requests. `default` sets what a client did not send. */
export interface OverrideEntry {
  readonly where: "header" | "body";
  readonly action: OverrideAction;
  readonly name: string;
  readonly value: unknown;
}

/** Returns the overrides of a text; undefined for a text that is none. An empty text has none. */
export function parseOverrides(text: string): Overrides | undefined {
  if (text.trim() === "") return {};
  try {
    return overridesSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export function entriesOf({ headers = {}, body = {} }: Overrides): readonly OverrideEntry[] {
  return [...entriesIn("header", headers), ...entriesIn("body", body)];
}

function entriesIn(
  where: OverrideEntry["where"],
  actions: NonNullable<Overrides["headers"] | Overrides["body"]>,
): OverrideEntry[] {
  return [
    ...Object.entries(actions.set ?? {}).map(([name, value]) => ({ where, action: "set" as const, name, value })),
    ...Object.entries(actions.default ?? {}).map(([name, value]) => ({
      where,
      action: "default" as const,
      name,
      value,
    })),
    ...(actions.remove ?? []).map((name) => ({ where, action: "remove" as const, name, value: undefined })),
  ];
}

const OVERRIDE_PROBLEMS = {
  form: 'overrides must be a JSON object, for example {"headers": {"set": {"user-agent": "my-app/1"}}, "body": {"default": {"temperature": 0.2}, "remove": ["top_k"]}}.',
  size: `overrides: at most ${OVERRIDE_LIMITS.entries} entries and ${OVERRIDE_LIMITS.length} characters fit.`,
  repeated: "overrides: {name} appears twice, or below another entry. Leave one of them.",
  "header-name": "overrides: {name} is no name of a header. Write letters, digits and hyphens.",
  "header-value": "overrides: the value of {name} must be one line of Latin letters, digits and signs.",
  "header-credential":
    "overrides: {name} would carry a credential. Put it into the channel's key, which is stored encrypted.",
  "header-own": "overrides: the gateway writes {name} itself. Leave it out.",
  "field-name": "overrides: {name} is no path of a field. Write names with dots between, such as reasoning.effort.",
  "field-refused": "overrides: {name} cannot be changed, because it decides the route or the price. Leave it out.",
  "limit-value": `overrides: {name} must be a whole number from 1 to ${MAX_TOKENS}.`,
} as const;

export interface OverrideProblem {
  readonly code: keyof typeof OVERRIDE_PROBLEMS;
  readonly name: string;
}

/** Returns the first reason against a text; undefined for valid overrides. */
export function findOverrideProblem(text: string): OverrideProblem | undefined {
  const overrides = parseOverrides(text);
  if (overrides === undefined) return { code: "form", name: "" };
  const entries = entriesOf(overrides);
  if (entries.length > OVERRIDE_LIMITS.entries || text.length > OVERRIDE_LIMITS.length)
    return { code: "size", name: "" };
  for (const entry of entries) {
    const found = entry.where === "header" ? problemOfHeader(entry) : problemOfField(entry);
    if (found !== undefined) return found;
  }
  return problemOfTwo(entries);
}

export function writeOverrideProblem({ code, name }: OverrideProblem): string {
  return OVERRIDE_PROBLEMS[code].replace("{name}", name);
}

const HEADER_NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/;
/** Credentials, and names that belong to them. Signed headers of Amazon and Tencent are a part of a signature. */
const CREDENTIAL_NAMES = /auth|key|token|secret|passw|credential|cookie|signature|bearer|^x-amz|^x-tc-/i;
const CREDENTIAL_VALUES =
  /^(?:bearer|basic)\s|\b(?:sk|pk|rk|xai|gsk|hf|ghp)[-_][A-Za-z0-9_-]{16,}|\bAIza[\w-]{20,}|\beyJ[\w-]{20,}/i;
/** Framing, routes of connections, marks of the gateway, and tiers that no answer reports. */
const OWN_NAMES =
  /^(?:host|connection|keep-alive|te|trailer|transfer-encoding|upgrade|expect|content-.*|accept-encoding|proxy-.*|x-one-api-.*|traceparent|tracestate|x-vertex-ai-llm-.*|http2-settings)$/i;

function problemOfHeader({ name, value }: OverrideEntry): OverrideProblem | undefined {
  if (!HEADER_NAME.test(name) || name.length > OVERRIDE_LIMITS.nameLength) return { code: "header-name", name };
  if (OWN_NAMES.test(name)) return { code: "header-own", name };
  if (CREDENTIAL_NAMES.test(name)) return { code: "header-credential", name };
  if (typeof value !== "string") return undefined;
  if (value.trim() === "" || value.length > OVERRIDE_LIMITS.headerLength || !isHeaderText(value))
    return { code: "header-value", name };
  return CREDENTIAL_VALUES.test(value.trim()) ? { code: "header-credential", name } : undefined;
}

const FIELD_NAME = /^[A-Za-z0-9_$@:-]+$/;

export function pathOf(name: string): readonly string[] {
  return name.split(".");
}

function problemOfField({ name, value }: OverrideEntry): OverrideProblem | undefined {
  const path = pathOf(name);
  const isPath = path.every((part) => FIELD_NAME.test(part) && part !== "__proto__");
  if (!isPath || path.length > OVERRIDE_LIMITS.depth || name.length > OVERRIDE_LIMITS.nameLength)
    return { code: "field-name", name };
  for (const field of concernedFields(path, value)) {
    if (field.effect === "refused") return { code: "field-refused", name: field.name };
    if (field.effect !== "free" && !field.isWhole) return { code: "field-name", name };
    const isLimit = field.effect === "limit" || field.effect === "thinking";
    if (isLimit && field.value !== undefined && !isLimitValue(field)) return { code: "limit-value", name: field.name };
  }
  return undefined;
}

/** A budget of thoughts may be 0, for none. */
function isLimitValue({ effect, value }: { readonly effect: string; readonly value: unknown }): boolean {
  const least = effect === "thinking" ? 0 : 1;
  return typeof value === "number" && Number.isInteger(value) && value >= least && value <= MAX_TOKENS;
}

function problemOfTwo(entries: readonly OverrideEntry[]): OverrideProblem | undefined {
  const seen = new Set<string>();
  for (const { where, name } of entries) {
    const key = where === "header" ? `header ${name.toLowerCase()}` : `body ${name}`;
    if (seen.has(key)) return { code: "repeated", name };
    seen.add(key);
  }
  const below = entries.find(
    ({ where, name }) =>
      where === "body" && entries.some((other) => other.where === where && isBelow(name, other.name)),
  );
  return below && { code: "repeated", name: below.name };
}

function isBelow(name: string, other: string): boolean {
  return name.startsWith(`${other}.`);
}
