import { Button, Group, Text } from "@mantine/core";
import { formatRatios, UNKNOWN_MODEL_RATIO } from "@one-api/contract/prices/ratios";
import { ErrorAlert } from "../../../components/boxes/error-alert.tsx";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { formatPrice } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useTroubles } from "../../dashboard/dashboard-queries.ts";
import type { SavedOptions } from "../options/option-draft.ts";
import { useSaveOptions } from "../options/option-queries.ts";
import classes from "./price-list.module.css";
import { dollarsOf, ratiosOf, withRatio } from "./ratios/ratio-model.ts";

/** Returns a function that stores the fallback price as a model's own; undefined while the ratios cannot be read. */
function useChargeFallback(saved: SavedOptions) {
  const { t } = useTranslation("settings");
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  const confirm = useConfirm();
  const save = useSaveOptions();
  const ratios = ratiosOf(saved.values["ModelRatio"] ?? "");
  const dollars = formatPrice(dollarsOf(UNKNOWN_MODEL_RATIO, quotaPerUnit));
  const charge = async (model: string) => {
    if (ratios === undefined) return;
    const isSure = await confirm({
      title: t("refusedModels.fallback"),
      message: t("refusedModels.message", { model, dollars }),
      confirmLabel: t("refusedModels.fallback"),
    });
    if (!isSure) return;
    const value = formatRatios(withRatio(ratios, model, UNKNOWN_MODEL_RATIO));
    save.mutate([{ key: "ModelRatio", value }], { onSuccess: () => toastSuccess(t("prices.taken")) });
  };
  return { charge, canCharge: ratios !== undefined, isSaving: save.isPending, error: save.error };
}

/** Models that were refused for want of a price, each with its answers; nothing without any. */
export default function RefusedModels({ saved }: { saved: SavedOptions }) {
  const { t } = useTranslation("settings");
  const { charge, canCharge, isSaving, error } = useChargeFallback(saved);
  const { data } = useTroubles();
  const models = data?.unpriced_models ?? [];
  if (models.length === 0) return null;
  return (
    <section className={classes.asked} aria-label={t("refusedModels.title")}>
      <Text size="sm" c="warning">
        {t("refusedModels.text")}
      </Text>
      <ul className={classes.refused}>
        {models.map(({ model, price_of: priceOf, requests }) => (
          <li key={model}>
            <span className={classes.name}>{priceOf === model ? model : `${model} → ${priceOf}`}</span>
            <Text span size="sm" c="dimmed">
              {t("refusedModels.requests", { count: requests })}
            </Text>
            <Group gap="xs">
              <ButtonLink
                to="/setting/ratios"
                search={{ price: priceOf }}
                variant="default"
                size="xs"
                aria-label={t("refusedModels.setOf", { model: priceOf })}
              >
                {t("refusedModels.set")}
              </ButtonLink>
              {canCharge && (
                <Button
                  variant="subtle"
                  size="xs"
                  disabled={isSaving}
                  aria-label={t("refusedModels.fallbackOf", { model: priceOf })}
                  onClick={() => void charge(priceOf)}
                >
                  {t("refusedModels.fallback")}
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
      <ErrorAlert error={error} />
    </section>
  );
}
