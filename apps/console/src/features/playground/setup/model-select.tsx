import { Select } from "@mantine/core";
import { formatInteger, formatMoney } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useUnpricedModels } from "../../pricing/unpriced-models.ts";
import { CHAT_TOKENS, useChatPrices } from "../../pricing/chat-price.ts";
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
  /** In a line of its own: without a visible label, frame and text below. */
  isBare?: boolean;
}

/** Returns what a model costs: in short for the list, as a sentence below the field. Empty where no price by tokens is known. */
function usePriceTexts() {
  const { t, language } = useTranslation("playground");
  const unpriced = useUnpricedModels();
  const prices = useChatPrices();
  const count = (tokens: number) => formatInteger(tokens, language);
  return {
    isUnpriced: (model: string) => unpriced.has(model),
    short: (model: string) => {
      const price = prices.get(model);
      return price === undefined ? "" : t("setup.perChat", { price: formatMoney(price) });
    },
    sentence: (model: string) => {
      if (unpriced.has(model)) return t("setup.unpricedHint");
      const price = prices.get(model);
      if (price === undefined) return undefined;
      const tokens = { in: count(CHAT_TOKENS.input), out: count(CHAT_TOKENS.output) };
      return t("setup.chatPrice", { price: formatMoney(price), ...tokens });
    },
  };
}

export function ModelSelect({ models, label, value, onChange, onClear, isBare = false }: ModelSelectProps) {
  const { t } = useTranslation("playground", "common");
  const { isUnpriced, short, sentence } = usePriceTexts();
  const names = models.data?.map(({ model }) => model) ?? [];
  const isForeign = models.data !== undefined && value !== undefined && !names.includes(value);
  return (
    <Select
      {...(isBare
        ? {
            "aria-label": label,
            variant: "unstyled",
            className: classes.bare,
            classNames: { input: classes.bareInput },
          }
        : { label, description: value === undefined ? undefined : sentence(value) })}
      searchable
      limit={MODELS_SHOWN}
      nothingFoundMessage={t("common:noMatch.title")}
      disabled={models.data === undefined}
      data={isForeign ? [value, ...names] : names}
      value={value ?? null}
      clearable={onClear !== undefined}
      onChange={(model) => (model === null ? onClear?.() : onChange(model))}
      error={isForeign && (isBare || t("setup.notCallable"))}
      inputWrapperOrder={["label", "input", "error", "description"]}
      renderOption={({ option: { value: model } }) => (
        <span className={classes.option}>
          {model}{" "}
          <span className={classes.price} data-unpriced={isUnpriced(model)}>
            {isUnpriced(model) ? t("setup.unpriced") : short(model)}
          </span>
        </span>
      )}
    />
  );
}
