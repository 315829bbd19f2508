import type { Redemption } from "@one-api/contract/redemption";
import { ShareBar } from "../../components/charts/share-bar.tsx";
import type { RowGroups } from "../../components/data-table/data-column.ts";
import { QuotaText } from "../../components/quota-text.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./redemption-columns.module.css";

export const isOfBatch = ({ batch_count: count }: Redemption) => count > 1;

/** Codes that were created together have one name and one time. */
const keyOf = (redemption: Redemption) =>
  isOfBatch(redemption) ? `${redemption.name} ${redemption.created_time}` : "";

/** Name and worth of a batch, and how much of it is redeemed; leads to its codes. */
function BatchTitle({ redemption }: { redemption: Redemption }) {
  const { t } = useTranslation("redemptions");
  const { name, quota, batch_count: count, batch_used: used } = redemption;
  const text = t("batch", { total: count, used });
  return (
    <span className={classes.batchTitle}>
      <strong>{name}</strong>
      <QuotaText quota={quota} />
      <TextLink className={classes.batchText ?? ""} to="/redemption" search={{ keyword: name }} inherit>
        {text}
      </TextLink>
      <span className={classes.batchBar}>
        <ShareBar used={used} limit={count} label={text} isNeutral />
      </span>
    </span>
  );
}

function SingleTitle() {
  const { t } = useTranslation("redemptions");
  return t("singleCodes");
}

/** The codes of each batch together; undefined if no row is of one. */
export function batchesOf(rows: readonly Redemption[]): RowGroups<Redemption> | undefined {
  if (!rows.some(isOfBatch)) return undefined;
  const first = new Map(rows.toReversed().map((row) => [keyOf(row), row]));
  return {
    keyOf,
    title: (key) => {
      const redemption = first.get(key);
      return redemption === undefined || key === "" ? <SingleTitle /> : <BatchTitle redemption={redemption} />;
    },
    sums: [],
    sum: () => null,
  };
}
