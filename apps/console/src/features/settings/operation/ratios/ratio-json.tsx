import { parsePrices } from "@one-api/contract/prices/model-prices";
import { OPTION_RATIOS, PRICE_KEYS, type PriceKey } from "@one-api/contract/prices/ratios";
import { JsonEditor } from "../../../../components/form/json-editor.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { WithOrigin } from "../../origin/option-origin.tsx";
import type { RatioViewProps } from "./ratio-form.tsx";
import { problemOf } from "./ratio-model.ts";
import classes from "./ratios.module.css";

/** Error and position in a text; false before the first edit. */
function useProblemText(): (key: PriceKey, text: string) => string | false {
  const { t } = useTranslation("settings");
  return (key, text) => {
    if (key === "ModelPrices") {
      const parsed = parsePrices(text);
      if (parsed.prices !== undefined) return false;
      return t("ratios.problems.price", { option: t(`fields.${key}`), ...parsed.problem });
    }
    const problem = problemOf(text);
    if (problem === undefined) return false;
    const { kind, line, column, name } = problem;
    const values = { option: t(`fields.${key}`), line, column, name, min: OPTION_RATIOS.min, max: OPTION_RATIOS.max };
    return t(`ratios.problems.${kind}`, values);
  };
}

export function RatioJson({ saved, texts, changed, onChange }: RatioViewProps) {
  const { t } = useTranslation("settings");
  const problemText = useProblemText();
  return (
    <div className={classes.editors}>
      {PRICE_KEYS.map((key) => (
        <WithOrigin
          key={key}
          optionKey={key}
          label={t(`fields.${key}`)}
          saved={saved}
          onValue={(text) => onChange(key, text)}
        >
          <JsonEditor
            label={t(`fields.${key}`)}
            description={t(`hints.${key}`)}
            value={texts[key]}
            error={changed.includes(key) && problemText(key, texts[key])}
            onChange={(text) => onChange(key, text)}
          />
        </WithOrigin>
      ))}
    </div>
  );
}
