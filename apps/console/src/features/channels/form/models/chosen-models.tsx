import { ActionIcon, Button } from "@mantine/core";
import type { Model } from "@one-api/contract/prices/model";
import { IconX } from "@tabler/icons-react";
import { memo, useState } from "react";
import { TextLink } from "../../../../components/text-link.tsx";
import { formatPrice } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./chosen-models.module.css";

/** List prices of a model, and the number of other channels that serve it. */
export type ModelFacts = ReadonlyMap<string, Pick<Model, "input_price" | "output_price" | "channels">>;

/** More are shown on request: a thousand of them would make every key press slow, and hide the rest of the form. */
const SHOWN_AT_FIRST = 10;

interface ModelRowProps {
  model: string;
  facts: ModelFacts;
  onRemove(model: string): void;
}

const priceText = (dollars: number | null | undefined) =>
  dollars === null || dollars === undefined ? "–" : formatPrice(dollars);

function ModelRow({ model, facts, onRemove }: ModelRowProps) {
  const { t } = useTranslation("channel-form");
  const own = facts.get(model);
  const count = own?.channels ?? 0;
  // Embeddings have no output: their paid input shows that the model is not free.
  const hasOutput = own?.output_price !== 0 || own.input_price === 0;
  return (
    <tr>
      <th scope="row">{model}</th>
      <td data-label={t("form.modelColumns.input")}>{priceText(own?.input_price)}</td>
      <td data-label={t("form.modelColumns.output")}>{priceText(hasOutput ? own?.output_price : undefined)}</td>
      <td className={classes.others} data-alone={count === 0}>
        {count === 0 ? (
          t("form.onlyHere")
        ) : (
          <TextLink to="/channel" search={{ keyword: model }} c="inherit" inherit>
            {t("form.otherChannels", { count })}
          </TextLink>
        )}
      </td>
      <td>
        <ActionIcon aria-label={t("form.removeModel", { model })} onClick={() => onRemove(model)}>
          <IconX size={14} />
        </ActionIcon>
      </td>
    </tr>
  );
}

interface ChosenModelsProps {
  models: readonly string[];
  facts: ModelFacts;
  onRemove(model: string): void;
}

const HEADS = ["model", "listInput", "listOutput", "others"] as const;

/** The chosen models with what decides: price, and whether others serve them. */
export const ChosenModels = memo(function ChosenModels({ models, facts, onRemove }: ChosenModelsProps) {
  const { t } = useTranslation("channel-form");
  const [showsAll, setShowsAll] = useState(false);
  if (models.length === 0) return null;
  const shown = showsAll ? models : models.slice(0, SHOWN_AT_FIRST);
  return (
    <div className={classes.chosen}>
      <div className={classes.box}>
        <table className={classes.table}>
          <thead>
            <tr>
              {HEADS.map((head) => (
                <th key={head} scope="col">
                  {t(`form.modelColumns.${head}`)}
                </th>
              ))}
              <th scope="col">
                <span className="visually-hidden">{t("form.modelColumns.remove")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((model) => (
              <ModelRow key={model} model={model} facts={facts} onRemove={onRemove} />
            ))}
          </tbody>
        </table>
      </div>
      {models.length > SHOWN_AT_FIRST && (
        <Button variant="subtle" size="compact-xs" onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? t("form.showFewer") : t("form.showAll", { count: models.length })}
        </Button>
      )}
    </div>
  );
});
