import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatTime } from "../../../lib/format.ts";
import type { LogFilters } from "../log-search.ts";
import { useLogTypeName } from "../log-types.tsx";
import type { LogFilterState } from "../use-log-filters.ts";
import classes from "./filter-chips.module.css";

export function rangeText(filters: LogFilters, t: Translate<"logs">): string | undefined {
  if (filters.range !== undefined) return t(`range.${filters.range}`);
  const { start_timestamp: start, end_timestamp: end } = filters;
  if (start !== undefined && end !== undefined) return `${formatTime(start)} – ${formatTime(end)}`;
  if (start !== undefined) return t("range.from", { start: formatTime(start) });
  return end === undefined ? undefined : t("range.until", { end: formatTime(end) });
}

interface Chip {
  label: string;
  text: string | undefined;
  without: LogFilters;
}

/** One chip for each value of a filter; its cross leaves the others. */
function chipsOf<Value extends string | number>(
  label: string,
  values: readonly Value[] | undefined,
  change: (values: readonly Value[]) => LogFilters,
  textOf: (value: Value) => string = String,
): Chip[] {
  return (values ?? []).map((value, _index, all) => ({
    label,
    text: textOf(value),
    without: change(all.filter((other) => other !== value)),
  }));
}

function useChips(filters: LogFilters): Chip[] {
  const { t } = useTranslation("logs");
  const typeName = useLogTypeName();
  return [
    ...chipsOf(t("filters.type"), filters.type, (type) => ({ type }), typeName),
    ...chipsOf(
      t("filters.result"),
      filters.result,
      (result) => ({ result }),
      (result) => t(`results.${result}`),
    ),
    ...chipsOf(t("filters.token"), filters.token_name, (names) => ({ token_name: names })),
    ...chipsOf(t("filters.model"), filters.model_name, (names) => ({ model_name: names })),
    ...chipsOf(t("filters.alias"), filters.alias, (alias) => ({ alias })),
    ...chipsOf(
      t("filters.channel"),
      filters.channel,
      (channel) => ({ channel }),
      (id) => `#${id}`,
    ),
    ...chipsOf(t("filters.username"), filters.username, (username) => ({ username })),
    {
      label: t("range.title"),
      text: rangeText(filters, t),
      without: { range: undefined, start_timestamp: undefined, end_timestamp: undefined },
    },
  ];
}

export function FilterChips({ filter: { filters, count, change, clear } }: { filter: LogFilterState }) {
  const { t } = useTranslation("logs");
  const chips = useChips(filters);
  if (count === 0) return null;
  const isOnlyOne = (label: string) => chips.filter((chip) => chip.label === label).length === 1;
  return (
    <div className={classes.chips} role="group" aria-label={t("filters.current")}>
      {chips
        .filter(({ text }) => text !== undefined && text !== "")
        .map(({ label, text, without }) => (
          <span key={`${label} ${text}`} className={classes.chip}>
            <span className={classes.label}>{label}</span>
            <span className={classes.text}>{text}</span>
            <button
              type="button"
              className={classes.remove}
              aria-label={t("filters.remove", { label: isOnlyOne(label) ? label : `${label} ${text}` })}
              onClick={() => change(without)}
            >
              <IconX size={14} />
            </button>
          </span>
        ))}
      <Button variant="subtle" size="compact-sm" onClick={clear}>
        {t("filters.clearAll")}
      </Button>
    </div>
  );
}
