import { CHANNEL_STATUS } from "@one-api/contract/channels/channel-constants";
import { CHANNEL_TYPES, channelTypeKeywords, channelTypeLabel } from "@one-api/contract/channels/channel-types";
import { useQuery } from "@tanstack/react-query";
import { Select } from "../../../components/floating/select.tsx";
import { useCardScreen } from "../../../lib/browser/use-narrow-screen.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsIdle } from "../../../lib/loading/when-idle.ts";
import { groupsQuery, tagsQuery } from "../channel-queries.ts";
import type { ChannelFilters } from "../channel-list-search.ts";
import classes from "./channel-columns.module.css";

interface ChannelFiltersProps {
  filters: ChannelFilters;
  onChange(filters: ChannelFilters): void;
}

interface FilterFieldsProps extends ChannelFiltersProps {
  isStacked: boolean;
}

const STATUS_NAMES = ["enabled", "disabled", "autoDisabled", "dormant", "reserve"] as const;

const numberOrNone = (text: string | null) => (text === null ? undefined : Number(text));

const looksOf = (name: string, isStacked: boolean) => ({
  clearable: true,
  "aria-label": name,
  placeholder: name,
  ...(isStacked ? { label: name } : { className: classes.filter ?? "" }),
});

function TagSelect({ filters, onChange, isStacked }: FilterFieldsProps) {
  const { t } = useTranslation("channels");
  const tags = useQuery({ ...tagsQuery, enabled: useIsIdle() });
  const names = (tags.data ?? []).map(({ tag }) => tag);
  const known = [...new Set([...names, ...(filters.tag === undefined ? [] : [filters.tag])])];
  if (known.length === 0) return null;
  return (
    <Select
      {...looksOf(t("columns.tag"), isStacked)}
      searchable
      data={known}
      value={filters.tag ?? null}
      onChange={(tag) => onChange({ ...filters, tag: tag ?? undefined })}
    />
  );
}

/** Filters of the list by state, type, group and tag; on narrow screens one a line. */
export function ChannelFilterFields({ filters, onChange }: ChannelFiltersProps) {
  const { t, language } = useTranslation("channels");
  const isStacked = useCardScreen();
  // Choices load after the first paint and before a menu opens.
  const groups = useQuery({ ...groupsQuery, enabled: useIsIdle() });
  return (
    <>
      <Select
        {...looksOf(t("columns.status"), isStacked)}
        data={STATUS_NAMES.map((name) => ({ value: String(CHANNEL_STATUS[name]), label: t(`status.${name}`) }))}
        value={filters.status === undefined ? null : String(filters.status)}
        onChange={(status) => onChange({ ...filters, status: numberOrNone(status) })}
      />
      <Select
        {...looksOf(t("columns.type"), isStacked)}
        searchable
        data={CHANNEL_TYPES.map((info) => ({
          value: String(info.type),
          label: channelTypeLabel(info.type, language) ?? info.label,
          keywords: channelTypeKeywords(info),
        }))}
        value={filters.type === undefined ? null : String(filters.type)}
        onChange={(type) => onChange({ ...filters, type: numberOrNone(type) })}
      />
      <Select
        {...looksOf(t("columns.group"), isStacked)}
        data={[
          ...new Set(["default", ...(groups.data ?? []), ...(filters.group === undefined ? [] : [filters.group])]),
        ]}
        value={filters.group ?? null}
        onChange={(group) => onChange({ ...filters, group: group ?? undefined })}
      />
      <TagSelect filters={filters} onChange={onChange} isStacked={isStacked} />
    </>
  );
}
