import { concernedFields, mayHoldLimit, normalName } from "@one-api/contract/channels/overrides/override-fields";
import {
  entriesOf,
  type OverrideEntry,
  type Overrides,
  parseOverrides,
  pathOf,
} from "@one-api/contract/channels/overrides/overrides";

/** Fields of a tier, by the names that prices know. */
export type TierFields = Readonly<Record<string, unknown>>;

export interface OverrideTerms {
  /** Largest limit of a completion among them; undefined without. */
  readonly limit: number | undefined;
  /** A limit of the client may be missing upstream. */
  readonly removesLimit: boolean;
  /** Budgets of thoughts beside the limit, in tokens. */
  readonly thinkingTokens: number;
  /** Fields of a tier that they set; undefined if they concern none. */
  readonly tier: TierFields | undefined;
  /** Upper bound of the prompt that they add, in bytes. */
  readonly addedBytes: number;
}

export interface ChannelOverrides {
  readonly all: Overrides;
  /** For requests whose client sent no limit: the gateway may have written one, which is no client's. */
  readonly withoutLimit: Overrides;
  readonly hasHeaders: boolean;
  readonly terms: OverrideTerms | undefined;
}

const TIER_NAMES: ReadonlyMap<string, string> = new Map([
  ["servicetier", "service_tier"],
  ["speed", "speed"],
  ["inferencegeo", "inference_geo"],
]);

/** Parses stored overrides; undefined without any. */
export function readOverrides(text: string): ChannelOverrides | undefined {
  const all = parseOverrides(text) ?? {};
  const entries = entriesOf(all);
  if (entries.length === 0) return undefined;
  const ofBody = entries.filter(({ where }) => where === "body");
  return {
    all,
    withoutLimit: setLimits(all),
    hasHeaders: ofBody.length < entries.length,
    terms: ofBody.length === 0 ? undefined : termsOf(ofBody),
  };
}

function setLimits(all: Overrides): Overrides {
  const defaults = Object.entries(all.body?.default ?? {});
  const limits = defaults.filter(([name]) =>
    concernedFields(pathOf(name), undefined).some(({ effect }) => effect === "limit"),
  );
  if (limits.length === 0) return all;
  const others = defaults.filter((entry) => !limits.includes(entry));
  const body = {
    ...all.body,
    set: { ...all.body?.set, ...Object.fromEntries(limits) },
    default: Object.fromEntries(others),
  };
  return { ...all, body };
}

function termsOf(entries: readonly OverrideEntry[]): OverrideTerms {
  const fields = entries.flatMap(({ name, value }) => concernedFields(pathOf(name), value));
  const limits = fields.flatMap(({ effect, value }) =>
    effect === "limit" && typeof value === "number" ? [value] : [],
  );
  const budgets = fields.flatMap(({ effect, value }) =>
    effect === "thinking" && typeof value === "number" ? [value] : [],
  );
  const tiers = fields.filter(({ effect }) => effect === "tier");
  return {
    limit: limits.length === 0 ? undefined : Math.max(...limits),
    removesLimit: entries.some(removesLimit),
    thinkingTokens: budgets.reduce((sum, budget) => sum + budget, 0),
    tier: tiers.length === 0 ? undefined : tierIn(Object.fromEntries(tiers.map(({ name, value }) => [name, value]))),
    addedBytes: entries.reduce((sum, { value }) => sum + bytesOf(value), 0),
  };
}

/** A removed limit, or a removed or replaced object that may hold one. */
function removesLimit({ action, name, value }: OverrideEntry): boolean {
  if (action === "default") return false;
  const fields = concernedFields(pathOf(name), undefined);
  if (action === "remove" && fields.some(({ effect }) => effect === "limit")) return true;
  const isObject = action === "remove" || (typeof value === "object" && value !== null);
  return isObject && mayHoldLimit(pathOf(name).at(-1) ?? "");
}

function bytesOf(value: unknown): number {
  return value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value));
}

/** Returns the fields of a body that choose a tier, by the names that prices know. */
export function tierIn(body: TierFields): TierFields {
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      const known = TIER_NAMES.get(normalName(name));
      return known === undefined || value === undefined ? [] : [[known, value]];
    }),
  );
}
