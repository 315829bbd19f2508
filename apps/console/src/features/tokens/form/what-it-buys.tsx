import { AsideSection } from "../../../components/form/parts/aside-section.tsx";
import { formatInteger } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";
import { CHAT_TOKENS, useChatPrices } from "../../pricing/chat-price.ts";
import classes from "./what-it-buys.module.css";

const MODELS_SHOWN = 4;

/** Returns so many of the rows, at equal steps from the first to the last. */
function sampleOf<Row>(rows: readonly Row[]): Row[] {
  if (rows.length <= MODELS_SHOWN) return [...rows];
  const step = (rows.length - 1) / (MODELS_SHOWN - 1);
  const chosen = new Set(Array.from({ length: MODELS_SHOWN }, (_row, index) => Math.round(index * step)));
  return rows.filter((_row, index) => chosen.has(index));
}

interface WhatItBuysProps {
  quota: number;
  /** Models that it may be spent on; empty for all. */
  models?: readonly string[];
  /** The prices are still the viewer's. */
  isForOthers?: boolean;
}

/** Number of typical chats that a quota pays for, with models from the cheapest to the dearest. Empty without prices. */
export function WhatItBuys({ quota, models = [], isForOthers = false }: WhatItBuysProps) {
  const { t, language } = useTranslation("tokens");
  const { quota_per_unit: perDollar } = useStoredStatus();
  const prices = useChatPrices();
  const format = useFormatQuota();
  const number = (count: number) => formatInteger(count, language);
  const paid = [...prices]
    .filter(([model, price]) => price > 0 && (models.length === 0 || models.includes(model)))
    .toSorted(([, left], [, right]) => left - right);
  if (paid.length === 0 || quota <= 0) return null;
  return (
    <AsideSection
      title={t("buys.title", { amount: format(quota) })}
      note={t(isForOthers ? "buys.noteForOthers" : "buys.note", {
        in: number(CHAT_TOKENS.input),
        out: number(CHAT_TOKENS.output),
      })}
    >
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t("buys.model")}</th>
            <th scope="col">{t("buys.chats")}</th>
          </tr>
        </thead>
        <tbody>
          {sampleOf(paid).map(([model, price]) => (
            <tr key={model}>
              <th scope="row">{model}</th>
              <td>{number(Math.floor(quota / perDollar / price))}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </AsideSection>
  );
}
