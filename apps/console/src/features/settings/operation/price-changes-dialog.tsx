import { type ModelPriceInDollars, TOKEN_PARTS, UNIT_PRICES } from "@one-api/contract/prices/model-prices";
import type { PriceChange } from "@one-api/contract/prices/price-list";
import { IconArrowNarrowRight } from "@tabler/icons-react";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import type { CallData } from "../../../lib/api/api-client.ts";
import { formatPrice } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "./price-list.module.css";

interface PartChange {
  readonly label: string;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** One kind of tokens, or a unit, whose price is another. */
function Figure({ part: { label, before, after } }: { part: PartChange }) {
  const { t } = useTranslation("settings");
  const text = (dollars: number | undefined) => (dollars === undefined ? "–" : formatPrice(dollars));
  const isDearer = before === undefined || after === undefined ? undefined : after > before;
  return (
    <span className={classes.figure}>
      <span className={classes.kind}>{label}</span>
      <span className={`numbers ${classes.before ?? ""}`}>{text(before)}</span>
      <IconArrowNarrowRight size={16} role="img" aria-label={t("ratios.changes.becomes")} />
      <strong className={`numbers ${classes.after ?? ""}`} data-is-dearer={isDearer}>
        {text(after)}
      </strong>
    </span>
  );
}

type Price = ModelPriceInDollars | null;

/** Returns the kinds and units whose prices differ, those of long prompts included. */
function usePartChanges(): (before: Price, after: Price) => PartChange[] {
  const { t } = useTranslation("settings");
  return (before, after) => {
    const differ = (label: string, old: number | undefined, next: number | undefined) =>
      old === next ? [] : [{ label, before: old, after: next }];
    const plain = TOKEN_PARTS.flatMap((part) => differ(t(`modelPrices.parts.${part}`), before?.[part], after?.[part]));
    const units = UNIT_PRICES.flatMap((unit) => differ(t(`modelPrices.by.${unit}`), before?.[unit], after?.[unit]));
    const stepAt = (price: Price, above: number) => price?.steps?.find((step) => step.above === above);
    const bounds = new Set([...(before?.steps ?? []), ...(after?.steps ?? [])].map(({ above }) => above));
    const longer = [...bounds].flatMap((above) =>
      TOKEN_PARTS.flatMap((part) => {
        const label = t("prices.longer", { part: t(`modelPrices.parts.${part}`), above });
        return differ(label, stepAt(before, above)?.[part], stepAt(after, above)?.[part]);
      }),
    );
    return [...plain, ...units, ...longer];
  };
}

function ChangeLine({ change }: { change: PriceChange }) {
  const { t } = useTranslation("settings");
  const partsOf = usePartChanges();
  const { model, before, after, has_own_ratio: hasOwn, kind, due_at: dueAt } = change;
  return (
    <li className={classes.change}>
      <span className={classes.head}>
        <span className={classes.name}>{model}</span>
        {before === null && <span className={classes.own}>{t("prices.isNew")}</span>}
        {after === null && <span className={classes.own}>{t("prices.isGone")}</span>}
        {kind === "odd" && (
          <StatusBadge tone="warning" title={t("prices.oddHint")}>
            {t("prices.odd")}
          </StatusBadge>
        )}
      </span>
      <span className={classes.figures}>
        {partsOf(before, after).map((part) => (
          <Figure key={part.label} part={part} />
        ))}
      </span>
      {dueAt !== null && (
        <span className={classes.own}>
          {t("prices.due")} <TimeText time={dueAt} />
        </span>
      )}
      {hasOwn && <span className={classes.own}>{t("prices.ownRatio")}</span>}
    </li>
  );
}

function ChangeList({ title, changes }: { title: string; changes: readonly PriceChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section aria-label={title}>
      <h3 className={classes.part}>{title}</h3>
      <ScrollBox label={title} className={classes.changes}>
        <ul className={classes.list}>
          {changes.map((change) => (
            <ChangeLine key={`${change.model} ${change.type ?? ""}`} change={change} />
          ))}
        </ul>
      </ScrollBox>
    </section>
  );
}

interface PriceChangesDialogProps {
  found: CallData<"POST /api/pricing/list/find">;
  isSaving: boolean;
  error: Error | null;
  onTake(): void;
  onClose(): void;
}

export default function PriceChangesDialog({ found, isSaving, error, onTake, onClose }: PriceChangesDialogProps) {
  const { t } = useTranslation("settings");
  const { changes, models } = found;
  return (
    <FormDialog
      title={changes.length === 0 ? t("prices.none") : t("prices.found", { count: changes.length })}
      onClose={onClose}
      size="lg"
      submitLabel={t("prices.take")}
      isSaving={isSaving}
      error={error}
      startsAtSubmit
      onSubmit={onTake}
    >
      <p className={classes.note}>{t(changes.length === 0 ? "prices.same" : "prices.text", { count: models })}</p>
      <ChangeList title={t("prices.served")} changes={changes.filter(({ served }) => served)} />
      <ChangeList title={t("prices.offered")} changes={changes.filter(({ served }) => !served)} />
    </FormDialog>
  );
}
