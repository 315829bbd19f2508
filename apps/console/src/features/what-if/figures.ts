import type { WhatIfTraffic } from "@one-api/contract/usage/what-if";
import { formatPercent, formatSeconds } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useQuotaDifference } from "../../lib/quota-difference.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";

export interface ForeseenTraffic {
  readonly before: WhatIfTraffic;
  readonly after: WhatIfTraffic;
}

export type Figure = "spend" | "cost" | "margin" | "failed" | "firstByte";

export const FIGURES: readonly Figure[] = ["spend", "cost", "margin", "failed", "firstByte"];

/** True if a larger value is good; of a spend it depends on who looks. */
const IS_MORE_BETTER: Readonly<Partial<Record<Figure, boolean>>> = {
  cost: false,
  margin: true,
  failed: false,
  firstByte: false,
};

function valueOf(
  figure: Figure,
  traffic: WhatIfTraffic,
  difference: (whole: number, part: number) => number,
): number | null {
  if (figure === "spend") return traffic.spend;
  if (figure === "cost") return traffic.cost;
  if (figure === "margin") return difference(traffic.spend, traffic.cost);
  if (figure === "firstByte") return traffic.first_byte_ms;
  return traffic.requests === 0 ? null : traffic.errors / traffic.requests;
}

type Tone = "better" | "worse" | undefined;

function toneOf(figure: Figure, before: number | null, after: number | null): Tone {
  const isMoreBetter = IS_MORE_BETTER[figure];
  if (isMoreBetter === undefined || before === null || after === null) return undefined;
  return after > before === isMoreBetter ? "better" : "worse";
}

/** A figure before and after a change. */
interface ShownFigure {
  readonly was: string;
  readonly would: string;
  /** Undefined also where the difference is too small to be seen. */
  readonly tone: Tone;
}

/** Returns the formatter of a figure. */
export function useShownFigure(): (figure: Figure, traffic: ForeseenTraffic) => ShownFigure {
  const { language } = useTranslation();
  const money = useFormatQuota();
  const difference = useQuotaDifference();
  const text = (figure: Figure, value: number | null) => {
    if (value === null) return "–";
    if (figure === "failed") return formatPercent(value, language, 1);
    return figure === "firstByte" ? formatSeconds(value) : money(value);
  };
  return (figure, traffic) => {
    const value = (each: WhatIfTraffic) => valueOf(figure, each, difference);
    const [before, after] = [value(traffic.before), value(traffic.after)];
    const [was, would] = [text(figure, before), text(figure, after)];
    return { was, would, tone: was === would ? undefined : toneOf(figure, before, after) };
  };
}
