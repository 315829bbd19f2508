import type { ReasonParts } from "@one-api/contract/channels/channel";
import { DECISION_REASONS } from "@one-api/contract/channels/channel-decision";
import { formatMoney } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

interface Reason {
  readonly code: string;
  readonly message: string;
  readonly parts?: ReasonParts | undefined;
}

interface ReasonWords {
  readonly sentence: string;
  /** Quoted provider message, in any language; empty if the sentence suffices. */
  readonly quote: string;
}

/** Reasons whose text makes the server's message redundant. */
const TOLD_WHOLE: readonly string[] = ["limit-raised", "stock-low", "test-passed"];

/** Returns the words for a reason in the viewer's language; unknown codes keep the server's message. */
export function useReasonWords(): (reason: Reason) => ReasonWords {
  const { t } = useTranslation("channel-reasons");
  return ({ code, message, parts = {} }) => {
    const known = DECISION_REASONS.find((name) => name === code);
    if (known === undefined) return { sentence: message, quote: "" };
    const { used, limit, said } = parts;
    if (used !== undefined && limit !== undefined) {
      if (known === "slow") return { sentence: t("slow-by", { used, limit }), quote: "" };
      if (known === "spending-limit")
        return { sentence: t("spending-limit-of", { used: formatMoney(used), limit: formatMoney(limit) }), quote: "" };
    }
    return { sentence: t(known), quote: said ?? (TOLD_WHOLE.includes(known) ? "" : message) };
  };
}
