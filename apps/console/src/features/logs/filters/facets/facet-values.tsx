import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { formatInteger } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./facets.module.css";

interface FacetValue {
  readonly value: string;
  readonly label: string;
  readonly entries?: number | undefined;
}

interface FacetValuesProps {
  label: string;
  values: readonly FacetValue[];
  chosen: readonly string[];
  /** A press adds the value to the choice; a second press removes it. */
  onChoose(chosen: readonly string[]): void;
}

function toggled(chosen: readonly string[], value: string): readonly string[] {
  return chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value];
}

const FIRST_VALUES = 7;

export function FacetValues({ label, values, chosen, onChoose }: FacetValuesProps) {
  const { t, language } = useTranslation("logs");
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? values : values.slice(0, FIRST_VALUES);
  const rest = values.length - shown.length;
  return (
    <>
      <ul className={classes.values} aria-label={label}>
        {shown.map(({ value, label: name, entries }) => (
          <li key={value}>
            <UnstyledButton
              className={classes.value ?? ""}
              aria-pressed={chosen.includes(value)}
              onClick={() => onChoose(toggled(chosen, value))}
            >
              <span className={classes.mark} aria-hidden="true" />
              <span className={classes.name}>{name}</span>{" "}
              {entries !== undefined && (
                <span className={classes.count} title={t("filters.counted")}>
                  {formatInteger(entries, language)}
                </span>
              )}
            </UnstyledButton>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <UnstyledButton className={classes.more ?? ""} onClick={() => setIsWhole(true)}>
          {t("filters.more", { count: rest })}
        </UnstyledButton>
      )}
    </>
  );
}

export function NoValues() {
  const { t } = useTranslation("logs");
  return <p className={classes.note}>{t("filters.noValues")}</p>;
}
