import type { ReasonParts } from "@one-api/contract/channels/channel";
import { DECISION_REASONS } from "@one-api/contract/channels/channel-decision";
import { formatMoney } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

/** Why the gateway did something to a channel, as the server says it. */
interface Reason {
  readonly code: string;
  /** In English, or in a provider's own words. */
  readonly message: string;
  readonly parts?: ReasonParts | undefined;
}

interface ReasonWords {
  readonly sentence: string;
  /** Quoted provider message, in any language; empty if the sentence suffices. */
  readonly quote: string;
}

/** Reasons whose text says all that the server's own words do. */
const TOLD_WHOLE: readonly string[] = ["limit-raised", "stock-low", "test-passed"];

/** Returns what a reason is called in the reader's language; codes that the console does not know stay in the server's words. */
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
