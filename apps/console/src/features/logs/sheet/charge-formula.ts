import type { LogDetail } from "@one-api/contract/log";
import { FEES_PER_DOLLAR } from "@one-api/contract/pricing";
import type { Translate } from "../../../lib/i18n/text-keys.ts";

/** The formula of a charge in the reader's language; in the server's English where an older entry has no parts of it. */
export function formulaText(charge: NonNullable<LogDetail["charge"]>, t: Translate<"logs">): string {
  const { model_ratio, group_ratio, formula, formula_parts: parts } = charge;
  if (parts === undefined) return formula;
  const terms = parts.terms.map(({ kind, count, factors }) => {
    const what = t(`charge.kinds.${kind}`, { count, fee: 1 / FEES_PER_DOLLAR });
    return [what, ...factors].join(" × ");
  });
  return `ceil((${terms.join(" + ")}) × ${model_ratio} × ${group_ratio}) = ${parts.quota}`;
}
