import type { ListedParts, PriceChange } from "@one-api/contract/prices/price-list";
import { IconArrowNarrowRight } from "@tabler/icons-react";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import type { CallData } from "../../../lib/api/api-client.ts";
import { formatPrice } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "./price-list.module.css";

const PARTS = [
  "input",
  "output",
  "cached_input",
  "cache_write",
  "audio_input",
  "audio_output",
  "image_input",
  "reasoning",
] as const satisfies readonly (keyof ListedParts)[];

/** One kind of tokens whose price is another. */
function Figure({ part, before, after }: { part: keyof ListedParts; before?: number; after?: number }) {
  const { t } = useTranslation("settings");
  const text = (dollars: number | undefined) => (dollars === undefined ? "–" : formatPrice(dollars));
  const isDearer = before === undefined || after === undefined ? undefined : after > before;
  return (
    <span className={classes.figure}>
      <span className={classes.kind}>{t(`prices.parts.${part}`)}</span>
      <span className={`numbers ${classes.before ?? ""}`}>{text(before)}</span>
      <IconArrowNarrowRight size={16} role="img" aria-label={t("ratios.changes.becomes")} />
      <strong className={`numbers ${classes.after ?? ""}`} data-is-dearer={isDearer}>
        {text(after)}
      </strong>
    </span>
  );
}

function ChangeLine({ change: { model, before, after, has_own_ratio: hasOwn } }: { change: PriceChange }) {
  const { t } = useTranslation("settings");
  const changed = PARTS.filter((part) => before?.[part] !== after?.[part]);
  const figure = (dollars: number | undefined, name: "before" | "after") =>
    dollars === undefined ? {} : { [name]: dollars };
  return (
    <li className={classes.change}>
      <span className={classes.head}>
        <span className={classes.name}>{model}</span>
        {before === null && <span className={classes.own}>{t("prices.isNew")}</span>}
        {after === null && <span className={classes.own}>{t("prices.isGone")}</span>}
      </span>
      <span className={classes.figures}>
        {changed.map((part) => (
          <Figure key={part} part={part} {...figure(before?.[part], "before")} {...figure(after?.[part], "after")} />
        ))}
      </span>
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
            <ChangeLine key={change.model} change={change} />
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

/** Changes of the newest list by model; applied only by the button. */
export function PriceChangesDialog({ found, isSaving, error, onTake, onClose }: PriceChangesDialogProps) {
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
