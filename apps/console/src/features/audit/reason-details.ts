import type { AuditDetail } from "@one-api/contract/audit";
import { DECISION_REASONS } from "@one-api/contract/channels/channel-decision";
import { useReasonWords } from "../channels/reason-words.ts";

const FIELDS = ["reason", "cause", "used", "limit", "said"];

interface ReasonDetails {
  readonly sentence: string;
  readonly quote: string;
  readonly others: readonly AuditDetail[];
}

/** Returns the reason of an automatic action in the reader's language; undefined without one. */
export function useReasonDetails(): (details: readonly AuditDetail[]) => ReasonDetails | undefined {
  const reasonWords = useReasonWords();
  return (details) => {
    const valueOf = (name: string) => details.find(({ field, from }) => field === name && from === undefined)?.to;
    const numberOf = (name: string) => {
      const value = valueOf(name);
      return value === undefined ? undefined : Number(value);
    };
    const code = DECISION_REASONS.find((known) => known === valueOf("cause"));
    if (code === undefined) return undefined;
    // Lists leave it out where there are parts.
    const message = valueOf("reason") ?? "";
    const parts = { used: numberOf("used"), limit: numberOf("limit"), said: valueOf("said") };
    const others = details.filter(({ field }) => !FIELDS.includes(field));
    return { ...reasonWords({ code, message, parts }), others };
  };
}
