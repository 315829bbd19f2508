import { Alert, Button } from "@mantine/core";
import type { DatedPrice } from "@one-api/contract/prices/model-prices";
import { IconAlertCircle, IconPlus, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { FormDialog } from "../../../../components/dialogs/form-dialog.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./model-prices.module.css";
import { draftOf, type PriceDraft, readDrafts } from "./price-draft.ts";
import { PriceFields } from "./price-fields.tsx";

interface ModelPricesDialogProps {
  model: string;
  /** Empty for a model without prices of its own. */
  prices: readonly DatedPrice[];
  suggested: DatedPrice;
  onSave(prices: readonly DatedPrice[]): void;
  onClose(): void;
}

function ProblemAlert({ drafts }: { drafts: readonly PriceDraft[] }) {
  const { t } = useTranslation("settings");
  const read = readDrafts(drafts);
  if (read.prices !== undefined) return null;
  const { field, reason } = read.problem;
  return (
    <Alert color="danger" icon={<IconAlertCircle size={18} />} role="alert">
      {t("modelPrices.problem", { field, reason })}
    </Alert>
  );
}

/** Prices of a model of every kind, and from a time on. They are kept with the unsaved changes of the page. */
export default function ModelPricesDialog({ model, prices, suggested, onSave, onClose }: ModelPricesDialogProps) {
  const { t } = useTranslation("settings");
  const [drafts, setDrafts] = useState(() => (prices.length > 0 ? prices : [suggested]).map(draftOf));
  const [isTried, setIsTried] = useState(false);
  const submit = () => {
    const read = readDrafts(drafts);
    setIsTried(true);
    if (read.prices !== undefined) onSave(read.prices);
  };
  const last = drafts.at(-1);
  const addLater = () =>
    setDrafts([...drafts, { ...draftOf(suggested), ...last, id: draftOf(suggested).id, from: "" }]);
  return (
    <FormDialog
      title={t("modelPrices.title", { model })}
      size="lg"
      submitLabel={t("modelPrices.apply")}
      onSubmit={submit}
      onClose={onClose}
    >
      <p className={classes.note}>{t("modelPrices.text")}</p>
      {drafts.map((price) => (
        <section key={price.id} className={classes.dated}>
          <PriceFields
            price={price}
            onChange={(next) => setDrafts(drafts.map((one) => (one.id === price.id ? next : one)))}
          />
          <Button
            variant="subtle"
            color="danger"
            size="xs"
            leftSection={<IconTrash size={14} />}
            onClick={() => setDrafts(drafts.filter(({ id }) => id !== price.id))}
          >
            {t("modelPrices.remove")}
          </Button>
        </section>
      ))}
      {drafts.length === 0 && <p className={classes.note}>{t("modelPrices.none")}</p>}
      <Button variant="default" leftSection={<IconPlus size={16} />} onClick={addLater}>
        {t("modelPrices.addLater")}
      </Button>
      {isTried && <ProblemAlert drafts={drafts} />}
    </FormDialog>
  );
}
