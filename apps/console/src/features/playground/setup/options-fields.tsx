import { NumberInput, type NumberInputProps, Select, Switch } from "@mantine/core";
import type { ChatModel, ChatParameter } from "@one-api/contract/playground";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { EFFORTS, MOST } from "../playground-search.ts";
import { usePlaygroundSearch } from "../use-playground.ts";
import classes from "./setup-panel.module.css";

interface OptionsFieldsProps {
  /** Parameters that at least one of the models supports. */
  parameters: ReadonlySet<ChatParameter>;
  models: readonly ChatModel[];
}

/** Largest output limit of the models; undefined if none is known. */
function longestAnswer(models: readonly ChatModel[]): number | undefined {
  const limits = models.flatMap(({ max_output_tokens: limit }) => limit ?? []);
  return limits.length < models.length || limits.length === 0 ? undefined : Math.max(...limits);
}

/** For reasoning models only. */
function EffortSelect() {
  const { t } = useTranslation("playground");
  const { search, change } = usePlaygroundSearch();
  return (
    <Select
      label={t("setup.effort")}
      placeholder={t("setup.usual")}
      clearable
      data={EFFORTS.map((effort) => ({ value: effort, label: t(`setup.efforts.${effort}`) }))}
      value={search.effort ?? null}
      onChange={(value) => change({ effort: EFFORTS.find((effort) => effort === value) })}
    />
  );
}

interface WishNumberProps {
  label: string;
  bounds: Pick<NumberInputProps, "min" | "max" | "step" | "decimalScale">;
  value: number | undefined;
  onChange(value: number | undefined): void;
}

/** Number field that applies its value on blur. */
function WishNumber({ label, bounds, value, onChange }: WishNumberProps) {
  const { t } = useTranslation("playground");
  const [typed, setTyped] = useState<{ readonly text: string | number } | undefined>();
  const take = () => {
    setTyped(undefined);
    if (typed !== undefined) onChange(typed.text === "" ? undefined : Number(typed.text));
  };
  return (
    <NumberInput
      label={label}
      placeholder={t("setup.usual")}
      {...bounds}
      clampBehavior="strict"
      value={typed?.text ?? value ?? ""}
      onChange={(text) => setTyped({ text })}
      onBlur={take}
    />
  );
}

/** Parameters of the answers. Unsupported ones are hidden; empty ones are the provider's defaults. */
export function OptionsFields({ parameters, models }: OptionsFieldsProps) {
  const { t } = useTranslation("playground");
  const { search, change } = usePlaygroundSearch();
  const numbers = [
    { name: "temperature", step: 0.1, min: 0, max: MOST.temperature, decimals: 2 },
    { name: "top_p", step: 0.05, min: 0, max: MOST.top_p, decimals: 2 },
    { name: "max_tokens", step: 256, min: 1, max: longestAnswer(models) ?? MOST.max_tokens, decimals: 0 },
  ] as const;
  return (
    <>
      <div className={classes.pair}>
        {numbers
          .filter(({ name }) => parameters.has(name))
          .map(({ name, step, min, max, decimals }) => (
            <WishNumber
              key={name}
              label={t(`setup.${name}`)}
              bounds={{ min, max, step, decimalScale: decimals }}
              value={search[name]}
              onChange={(value) => change({ [name]: value })}
            />
          ))}
        {parameters.has("reasoning_effort") && <EffortSelect />}
      </div>
      {parameters.has("json") && (
        <Switch
          label={t("setup.json")}
          description={search.json === true ? t("setup.jsonHint") : undefined}
          checked={search.json === true}
          onChange={(event) => change({ json: event.currentTarget.checked || undefined })}
        />
      )}
    </>
  );
}
