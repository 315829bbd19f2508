import { Button, Group, Text } from "@mantine/core";
import { formatRatios, UNKNOWN_MODEL_RATIO } from "@one-api/contract/prices/ratios";
import { ErrorAlert } from "../../../components/boxes/error-alert.tsx";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
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
  const { t } = useTranslation("dashboard", "settings");
  const { quota_per_unit: quotaPerUnit } = useStoredStatus();
  const confirm = useConfirm();
  const save = useSaveOptions();
  const ratios = ratiosOf(saved.values["ModelRatio"] ?? "");
  const dollars = formatPrice(dollarsOf(UNKNOWN_MODEL_RATIO, quotaPerUnit));
  const charge = async (model: string) => {
    if (ratios === undefined) return;
    const isSure = await confirm({
      title: t("troubles.fallback"),
      message: t("troubles.fallbackMessage", { model, dollars }),
      confirmLabel: t("troubles.fallback"),
    });
    if (!isSure) return;
    const value = formatRatios(withRatio(ratios, model, UNKNOWN_MODEL_RATIO));
    save.mutate([{ key: "ModelRatio", value }], { onSuccess: () => toastSuccess(t("settings:prices.taken")) });
  };
  return { charge, canCharge: ratios !== undefined, isSaving: save.isPending, error: save.error };
}

/** Models that were refused for want of a price, each with its answers; nothing without any. */
export default function RefusedModels({ saved }: { saved: SavedOptions }) {
  const { t } = useTranslation("dashboard");
  const { charge, canCharge, isSaving, error } = useChargeFallback(saved);
  const { data } = useTroubles();
  const models = data?.unpriced_models ?? [];
  if (models.length === 0) return null;
  return (
    <section className={classes.asked} aria-label={t("troubles.unpriced")}>
      <h3 className={classes.title}>
        <StatusBadge tone="warning">{t("troubles.unpriced")}</StatusBadge>
      </h3>
      <ul className={classes.refused}>
        {models.map(({ model, price_of: priceOf, requests }) => (
          <li key={model}>
            <span className={classes.name}>{priceOf === model ? model : `${model} → ${priceOf}`}</span>
            <Text span size="sm" c="dimmed">
              {t("troubles.refused", { count: requests })}
            </Text>
            <Group gap="xs">
              <ButtonLink
                to="/setting/ratios"
                search={{ price: priceOf }}
                variant="default"
                size="xs"
                aria-label={t("troubles.setPriceOf", { model: priceOf })}
              >
                {t("troubles.setPrice")}
              </ButtonLink>
              {canCharge && (
                <Button
                  variant="subtle"
                  size="xs"
                  disabled={isSaving}
                  aria-label={t("troubles.fallbackOf", { model: priceOf })}
                  onClick={() => void charge(priceOf)}
                >
                  {t("troubles.fallback")}
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
