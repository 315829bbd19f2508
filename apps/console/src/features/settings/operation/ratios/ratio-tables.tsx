import { Alert, Button } from "@mantine/core";
import { formatPrices, type PriceTable } from "@one-api/contract/prices/model-prices";
import { formatRatios, PRICE_KEYS, type RatioKey } from "@one-api/contract/prices/ratios";
import { IconAlertCircle } from "@tabler/icons-react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { OptionHistories } from "../../origin/option-histories.tsx";
import { GroupRatioTable } from "./group-ratio-table.tsx";
import { ModelRatioTable } from "./model-ratio-table.tsx";
import type { RatioViewProps } from "./ratio-form.tsx";
import { pricesOf, type Ratios, ratiosOf } from "./ratio-model.ts";
import classes from "./ratios.module.css";

/** The ratios as tables. A text that cannot be read has none. */
export function RatioTables({ saved, texts, onChange }: RatioViewProps) {
  const { t } = useTranslation("settings");
  const model = ratiosOf(texts.ModelRatio);
  const completion = ratiosOf(texts.CompletionRatio);
  const group = ratiosOf(texts.GroupRatio);
  const groupDefaults = ratiosOf(saved.defaults["GroupRatio"] ?? "") ?? new Map<string, number>();
  const prices = pricesOf(texts.ModelPrices);
  if (prices === undefined || model === undefined || completion === undefined || group === undefined) {
    return (
      <Alert color="warning" icon={<IconAlertCircle size={18} />}>
        {t("ratios.notReadable")}
      </Alert>
    );
  }
  const set = (key: RatioKey) => (ratios: Ratios) => onChange(key, formatRatios(ratios));
  const resetAll = () => {
    onChange("ModelRatio", "");
    onChange("CompletionRatio", "");
    onChange("ModelPrices", "");
  };
  return (
    <div className={classes.tables}>
      <ModelRatioTable
        model={model}
        completion={completion}
        onModel={set("ModelRatio")}
        onCompletion={set("CompletionRatio")}
        prices={prices}
        onPrices={(table: PriceTable) => onChange("ModelPrices", formatPrices(table))}
        resetAll={
          model.size + completion.size + prices.size > 0 && (
            <Button variant="default" onClick={resetAll}>
              {t("ratios.resetAll")}
            </Button>
          )
        }
      />
      <GroupRatioTable ratios={group} defaults={groupDefaults} onChange={set("GroupRatio")} />
      <OptionHistories keys={PRICE_KEYS} labelOf={(key) => t(`fields.${key}`)} saved={saved} onValue={onChange} />
    </div>
  );
}
