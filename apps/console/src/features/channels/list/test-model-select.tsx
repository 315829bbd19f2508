import { Select } from "@mantine/core";
import type { Channel } from "@one-api/contract/channel";
import { splitList } from "@one-api/contract/fields";
import { useTranslation } from "react-i18next";
import classes from "./test-model-select.module.css";

const MODELS_SHOWN = 100;

interface TestModelSelectProps {
  channel: Channel;
  /** Empty for the channel's first model. */
  model: string;
  onChoose(model: string): void;
}

/** Chooses the model that the row's test asks. */
export function TestModelSelect({ channel, model, onChoose }: TestModelSelectProps) {
  const { t } = useTranslation("channels");
  const models = splitList(channel.models);
  if (models.length === 0) return <span>–</span>;
  return (
    <Select
      aria-label={t("testModelOf", { name: channel.name })}
      size="xs"
      className={classes.model ?? ""}
      searchable
      limit={MODELS_SHOWN}
      comboboxProps={{ width: 280, position: "bottom-start" }}
      data={models}
      value={models.includes(model) ? model : (models[0] ?? null)}
      onChange={(chosen) => chosen !== null && onChoose(chosen)}
    />
  );
}
