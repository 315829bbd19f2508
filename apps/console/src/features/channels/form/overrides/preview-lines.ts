import { overrideBody, overrideHeaders } from "@one-api/contract/channels/overrides/apply-overrides";
import { entriesOf, type Overrides, pathOf } from "@one-api/contract/channels/overrides/overrides";

export interface PreviewLine {
  /** `same`, `gone` by an override, or `new` from one. */
  readonly change: "same" | "gone" | "new";
  readonly text: string;
}

/** Stands for the value of something that only some clients send. */
const SOME_VALUE = "…";

/** Returns the lines of a sample request: its headers and its body, before and after the overrides. */
export function previewLines(
  overrides: Overrides,
  model: string,
): { headers: readonly PreviewLine[]; body: readonly PreviewLine[] } {
  const headers = sampleHeaders(overrides);
  const body = sampleBody(overrides, model);
  return {
    headers: compare(headers, overrideHeaders(headers, overrides), (name, value) => `${name}: ${String(value)}`),
    body: compare(body, overrideBody(body, overrides), (name, value) => `"${name}": ${JSON.stringify(value)}`),
  };
}

function sampleHeaders(overrides: Overrides): Record<string, string> {
  const removed = (overrides.headers?.remove ?? []).map((name) => [name.toLowerCase(), SOME_VALUE] as const);
  return { "content-type": "application/json", ...Object.fromEntries(removed) };
}

function sampleBody(overrides: Overrides, model: string): Record<string, unknown> {
  const sample: Record<string, unknown> = {
    model,
    messages: [{ role: "user", content: SOME_VALUE }],
    stream: true,
    temperature: 1,
  };
  const removed = entriesOf(overrides).filter(({ where, action }) => where === "body" && action === "remove");
  for (const { name } of removed) addAt(sample, pathOf(name));
  return sample;
}

function addAt(record: Record<string, unknown>, [name = "", ...rest]: readonly string[]): void {
  if (rest.length === 0) {
    record[name] ??= SOME_VALUE;
    return;
  }
  const inner: Record<string, unknown> = {};
  const before = record[name];
  if (typeof before === "object" && before !== null) Object.assign(inner, before);
  addAt(inner, rest);
  record[name] = inner;
}

function compare(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  write: (name: string, value: unknown) => string,
): PreviewLine[] {
  const lines: PreviewLine[] = [];
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [old, now] = [before, after].map((record) => (name in record ? write(name, record[name]) : undefined));
    if (old !== undefined) lines.push({ change: old === now ? "same" : "gone", text: old });
    if (now !== undefined && old !== now) lines.push({ change: "new", text: now });
  }
  return lines;
}
