import { OPTION_RATIOS, RATIO_KEYS, type RatioKey } from "@one-api/contract/prices/ratios";
import { JsonEditor } from "../../../../components/form/json-editor.tsx";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { WithOrigin } from "../../origin/option-origin.tsx";
import type { SavedOptions } from "../../system/system-options.ts";
import { problemOf, type RatioTexts } from "./ratio-model.ts";
import classes from "./ratios.module.css";

export interface RatioViewProps {
  saved: SavedOptions;
  texts: RatioTexts;
  changed: readonly RatioKey[];
  onChange(key: RatioKey, text: string): void;
}

/** Error and position in a text; false before the first edit. */
function useProblemText(): (key: RatioKey, text: string) => string | false {
  const { t } = useTranslation("settings");
  return (key, text) => {
    const problem = problemOf(text);
    if (problem === undefined) return false;
    const { kind, line, column, name } = problem;
    const values = { option: t(`ratios.${key}`), line, column, name, min: OPTION_RATIOS.min, max: OPTION_RATIOS.max };
    return t(`ratios.problems.${kind}`, values);
  };
}

export function RatioJson({ saved, texts, changed, onChange }: RatioViewProps) {
  const { t } = useTranslation("settings");
  const problemText = useProblemText();
  return (
    <div className={classes.editors}>
      {RATIO_KEYS.map((key) => (
        <WithOrigin
          key={key}
          optionKey={key}
          label={t(`ratios.${key}`)}
          saved={saved}
          onDefault={(text) => onChange(key, text)}
        >
          <JsonEditor
            label={t(`ratios.${key}`)}
            description={t(`ratios.hints.${key}`)}
            value={texts[key]}
            error={changed.includes(key) && problemText(key, texts[key])}
            onChange={(text) => onChange(key, text)}
          />
        </WithOrigin>
      ))}
    </div>
  );
}
