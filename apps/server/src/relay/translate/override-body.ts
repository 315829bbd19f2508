import type { FieldEdits } from "@one-api/providers/format";
import { type JsonRecord, parseJson } from "@one-api/providers/shared/json-fields";
import { overrideBody, overrideFields } from "@one-api/contract/channels/overrides/apply-overrides";
import { entriesOf, type Overrides, pathOf } from "@one-api/contract/channels/overrides/overrides";
import { type ChannelOverrides, tierIn, type TierFields } from "../../features/channels/index.ts";
import type { ParsedRequest } from "../body/index.ts";

/** Returns the overrides of a request's body; undefined without any. Only requests with a completion have some. */
export function overridesOf(
  { hasCompletion, maxTokens }: Pick<ParsedRequest, "hasCompletion" | "maxTokens">,
  overrides: ChannelOverrides | undefined,
): BodyOverrides | undefined {
  if (!hasCompletion || overrides?.terms === undefined) return undefined;
  return {
    overrides: maxTokens === undefined ? overrides.withoutLimit : overrides.all,
    concernsTier: overrides.terms.tier !== undefined,
  };
}

interface BodyOverrides {
  readonly overrides: Overrides;
  readonly concernsTier: boolean;
}

/** Top-level fields that overrides may read. */
export function overriddenNames({ overrides }: BodyOverrides): readonly string[] {
  const names = entriesOf(overrides).flatMap(({ where, name }) => (where === "body" ? pathOf(name).slice(0, 1) : []));
  return [...new Set(names)];
}

interface Overridden<Written> {
  readonly written: Written;
  readonly tier: TierFields | undefined;
}

/** Adds overrides to other edits of a body, which they see as made. */
export function overrideEdits(body: JsonRecord, edits: FieldEdits, own: BodyOverrides): Overridden<FieldEdits> {
  const edited: Record<string, unknown> = { ...body };
  for (const name of overriddenNames(own)) {
    if (!edits.has(name)) continue;
    const text = edits.get(name);
    edited[name] = text === undefined ? undefined : parseJson(text);
  }
  const fields = overrideFields(edited, own.overrides);
  const texts = [...fields].map(
    ([name, value]) => [name, value === undefined ? undefined : JSON.stringify(value)] as const,
  );
  return {
    written: new Map([...edits, ...texts]),
    tier: own.concernsTier ? tierIn({ ...edited, ...Object.fromEntries(fields) }) : undefined,
  };
}

/** Applies overrides to a body that was written anew. */
export function overrideWritten(body: JsonRecord, own: BodyOverrides): Overridden<JsonRecord> {
  const written = overrideBody(body, own.overrides);
  return { written, tier: own.concernsTier ? tierIn(written) : undefined };
}
