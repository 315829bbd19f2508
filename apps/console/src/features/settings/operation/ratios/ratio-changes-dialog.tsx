import type { PriceTable } from "@one-api/contract/prices/model-prices";
import { UNKNOWN_MODEL_RATIO, type RatioKey, type PriceKey } from "@one-api/contract/prices/ratios";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FormDialog } from "../../../../components/dialogs/form-dialog.tsx";
import { formatPrice } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../../../lib/state/stored-status.ts";
import { ChangeLine, ChangeList } from "../change-list.tsx";
import { listedPricesQuery } from "./listed-prices.ts";
import { PriceEffect } from "./price-effect.tsx";
import { usePricesText } from "../model-prices/use-price-text.ts";
import {
  changesBetween,
  dollarsOf,
  type EntryChange,
  priceChangesBetween,
  pricesOf,
  ratiosOf,
  type RatioTexts,
} from "./ratio-model.ts";
import classes from "./ratios.module.css";

const NO_RATIOS: ReadonlyMap<string, number> = new Map();
const NO_PRICES: PriceTable = new Map();

type PriceChange = ReturnType<typeof priceChangesBetween>[number];

function PriceLine({ change: { row, before, after } }: { change: PriceChange }) {
  const { t } = useTranslation("settings");
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  const text = ({ input, output, source }: PriceChange["before"]) => {
    const dollars = (ratio: number) => formatPrice(dollarsOf(ratio, quotaPerUnit, row.unit));
    const price =
      row.unit === "token"
        ? `${dollars(input)} / ${dollars(output)}`
        : `${dollars(input)} ${t(`ratios.units.${row.unit}`)}`;
    return source === "own" ? price : t(`ratios.changes.from.${source}`, { price });
  };
  const kind = before.source !== "own" ? "added" : after.source === "own" ? "changed" : "removed";
  return <ChangeLine name={row.model} kind={kind} before={text(before)} after={text(after)} />;
}

function ChangesOf({ title, children }: { title: string; children: readonly ReactNode[] }) {
  if (children.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className={classes.part}>{title}</h3>
      <ChangeList label={title}>{children}</ChangeList>
    </section>
  );
}

interface EntryListProps<Entry> {
  title: string;
  changes: readonly EntryChange<Entry>[];
  textOf(entry: Entry): string;
  /** Text of an entry that is not there. */
  without: string;
}

function EntryList<Entry>({ title, changes, textOf, without }: EntryListProps<Entry>) {
  return (
    <ChangesOf title={title}>
      {changes.map(({ name, before, after }) => (
        <ChangeLine
          key={name}
          name={name}
          kind={before === undefined ? "added" : after === undefined ? "removed" : "changed"}
          before={before === undefined ? without : textOf(before)}
          after={after === undefined ? without : textOf(after)}
        />
      ))}
    </ChangesOf>
  );
}

interface RatioChangesDialogProps {
  before: RatioTexts;
  after: RatioTexts;
  changed: readonly PriceKey[];
  isSaving: boolean;
  onSave(): void;
  onClose(): void;
}

/** Shows what a save changes: prices of models in dollars, factors of groups. */
export function RatioChangesDialog({ before, after, changed, isSaving, onSave, onClose }: RatioChangesDialogProps) {
  const { t } = useTranslation("settings");
  const listed = useQuery(listedPricesQuery);
  const ratios = (texts: RatioTexts, key: RatioKey) => ratiosOf(texts[key]) ?? NO_RATIOS;
  const ofModels = (texts: RatioTexts) => ({
    model: ratios(texts, "ModelRatio"),
    completion: ratios(texts, "CompletionRatio"),
  });
  const prices = priceChangesBetween(ofModels(before), ofModels(after), listed.data ?? [], UNKNOWN_MODEL_RATIO);
  const groups = changesBetween(ratios(before, "GroupRatio"), ratios(after, "GroupRatio"));
  const dated = changesBetween(pricesOf(before.ModelPrices) ?? NO_PRICES, pricesOf(after.ModelPrices) ?? NO_PRICES);
  const pricesText = usePricesText();
  const count = prices.length + groups.length + dated.length;
  return (
    <FormDialog
      title={t("ratios.changes.title", { count })}
      onClose={onClose}
      size="lg"
      submitLabel={t("ratios.changes.save")}
      isSaving={isSaving}
      startsAtSubmit
      onSubmit={onSave}
    >
      <p className={classes.note}>{t(count === 0 ? "ratios.changes.textOnly" : "ratios.changes.text")}</p>
      {!listed.isPending && (
        <ChangesOf title={t("ratios.changes.prices")}>
          {prices.map((change) => (
            <PriceLine key={change.row.model} change={change} />
          ))}
        </ChangesOf>
      )}
      <EntryList
        title={t("fields.ModelPrices")}
        changes={dated}
        textOf={pricesText}
        without={t("modelPrices.without")}
      />
      <EntryList
        title={t("fields.GroupRatio")}
        changes={groups}
        textOf={String}
        without={t("ratios.changes.noFactor")}
      />
      {changed.some((key) => key !== "GroupRatio") && <PriceEffect texts={after} />}
    </FormDialog>
  );
}
