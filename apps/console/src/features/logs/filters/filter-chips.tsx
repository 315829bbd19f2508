import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatTime } from "../../../lib/format.ts";
import type { LogFilters } from "../log-search.ts";
import { useLogTypeName } from "../log-types.tsx";
import type { LogFilterState } from "../use-log-filters.ts";
import classes from "./filter-chips.module.css";

/** The range of time in words; undefined when neither end is set. */
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

/** All filters; those that are not set have no text. */
function useChips(filters: LogFilters): Chip[] {
  const { t } = useTranslation("logs");
  const typeName = useLogTypeName();
  const { type, channel } = filters;
  return [
    { label: t("filters.type"), text: type === undefined ? undefined : typeName(type), without: { type: undefined } },
    {
      label: t("filters.result"),
      text: filters.result && t(`results.${filters.result}`),
      without: { result: undefined },
    },
    { label: t("filters.token"), text: filters.token_name, without: { token_name: undefined } },
    { label: t("filters.model"), text: filters.model_name, without: { model_name: undefined } },
    { label: t("filters.alias"), text: filters.alias, without: { alias: undefined } },
    {
      label: t("filters.channel"),
      text: channel === undefined ? undefined : `#${channel}`,
      without: { channel: undefined },
    },
    { label: t("filters.username"), text: filters.username, without: { username: undefined } },
    {
      label: t("range.title"),
      text: rangeText(filters, t),
      without: { range: undefined, start_timestamp: undefined, end_timestamp: undefined },
    },
  ];
}

/** The filters that are set, each with a cross, and one button that clears them all. */
export function FilterChips({ filter: { filters, count, change, clear } }: { filter: LogFilterState }) {
  const { t } = useTranslation("logs");
  const chips = useChips(filters);
  if (count === 0) return null;
  return (
    <div className={classes.chips} role="group" aria-label={t("filters.current")}>
      {chips
        .filter(({ text }) => text !== undefined && text !== "")
        .map(({ label, text, without }) => (
          <span key={label} className={classes.chip}>
            <span className={classes.label}>{label}</span>
            <span className={classes.text}>{text}</span>
            <button
              type="button"
              className={classes.remove}
              aria-label={t("filters.remove", { label })}
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
