import { Select } from "@mantine/core";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatPrice } from "../../../lib/format.ts";
import { useTokenPrices, useUnpricedModels } from "../../pricing/unpriced-models.ts";
import classes from "./model-select.module.css";
import type { Asking } from "../use-playground.ts";

const MODELS_SHOWN = 100;

interface ModelSelectProps {
  models: Pick<Asking["models"], "data">;
  label: string;
  value: string | undefined;
  onChange(model: string): void;
  /** With it the choice can be taken back. */
  onClear?: () => void;
}

/** What a model costs, or that nobody set a price; undefined where neither is known. */
function usePriceHint(): (model: string) => string | undefined {
  const { t } = useTranslation("playground");
  const unpriced = useUnpricedModels();
  const priceOf = useTokenPrices();
  return (model) => {
    if (unpriced.has(model)) return t("setup.unpricedHint");
    const price = priceOf(model);
    if (price === undefined) return undefined;
    return t("setup.price", { input: formatPrice(price.input), output: formatPrice(price.output) });
  };
}

export function ModelSelect({ models, label, value, onChange, onClear }: ModelSelectProps) {
  const { t } = useTranslation("playground", "common");
  const unpriced = useUnpricedModels();
  const hintOf = usePriceHint();
  const names = models.data?.map(({ model }) => model) ?? [];
  const isForeign = models.data !== undefined && value !== undefined && !names.includes(value);
  return (
    <Select
      label={label}
      searchable
      limit={MODELS_SHOWN}
      nothingFoundMessage={t("common:noMatch.title")}
      disabled={models.data === undefined}
      data={isForeign ? [value, ...names] : names}
      value={value ?? null}
      clearable={onClear !== undefined}
      onChange={(model) => (model === null ? onClear?.() : onChange(model))}
      error={isForeign ? t("setup.notCallable") : undefined}
      description={value === undefined ? undefined : hintOf(value)}
      inputWrapperOrder={["label", "input", "error", "description"]}
      renderOption={({ option: { value: model } }) =>
        unpriced.has(model) ? (
          <span className={classes.option}>
            {model} <span className={classes.unpriced}>{t("setup.unpriced")}</span>
          </span>
        ) : (
          model
        )
      }
    />
  );
}
