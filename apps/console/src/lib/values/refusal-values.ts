import type { RefusalValues } from "@one-api/contract/logs/refusal-values";
import { choiceOf, fieldsOf, integerOf } from "./read-values.ts";

/** The numbers and names that came beside a refusal of the relay, from an error or the browser's storage; none where there are none. */
export function readRefusalValues(value: unknown): RefusalValues {
  const { limited, limit, needed, left, whose, amount, renews_at: renewsAt } = fieldsOf(value);
  return {
    limited: choiceOf(limited, ["requests", "images", "tokens"]),
    limit: integerOf(limit),
    needed: integerOf(needed),
    left: integerOf(left),
    whose: choiceOf(whose, ["account", "token"]),
    amount: integerOf(amount),
    renews_at: integerOf(renewsAt),
  };
}
