import type { UsageCharge, UsageDetail, UsageTermKind } from "./usage-detail.ts";

const RULE_NOTES: Record<UsageCharge["rule"], string> = {
  usage: "",
  estimated: " Counted here: the provider reported no usage.",
  partial: " The answer was cut off: charged for what was delivered.",
};

/** What the entry of a relayed request says: the ratios that its charge came from, or why there was none, and what is to be known besides. */
export function describeUsage(detail: UsageDetail): string {
  const { charge, dropped = [], note = "" } = detail;
  const left = dropped.length === 0 ? "" : ` Left out, for the provider has no place for it: ${dropped.join(", ")}.`;
  const about = charge === undefined ? `Nothing was charged: ${detail.end}.` : describeRatios(charge);
  return `${about}${left}${note === "" ? "" : ` ${note}`}`;
}

function describeRatios({ model_ratio, group_ratio, completion_ratio, rule, source }: UsageCharge): string {
  const unknown = source === "fallback" ? " No price is known for this model: set one in ModelRatio." : "";
  return `Model ratio ${model_ratio} × group ratio ${group_ratio}, completion ratio ${completion_ratio}.${RULE_NOTES[rule]}${unknown}`;
}

/** The charge, in quota, as people can check it: every kind of token with its number and ratio. */
export function describeCharge({ terms, model_ratio, group_ratio }: UsageCharge, quota: number): string {
  const nothing: UsageCharge["terms"] = [["input", 0, 1]];
  const all = terms.some(([kind]) => kind === "input") ? terms : [...nothing, ...terms];
  const parts = all.map(([kind, tokens, ratio]) =>
    ratio === 1 ? `${tokens} ${nameOf(kind)}` : `${tokens} ${nameOf(kind)} × ${ratio}`,
  );
  return `ceil((${parts.join(" + ")}) × ${model_ratio} × ${group_ratio}) = ${quota}`;
}

function nameOf(kind: UsageTermKind): string {
  return kind.replaceAll("-", " ");
}
