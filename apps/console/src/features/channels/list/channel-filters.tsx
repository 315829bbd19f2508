import { CHANNEL_STATUS } from "@one-api/contract/channels/channel";
import { CHANNEL_TYPES, channelTypeKeywords, channelTypeLabel } from "@one-api/contract/channels/channel-types";
import { useQuery } from "@tanstack/react-query";
import { Select } from "../../../components/floating/select.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsIdle } from "../../../lib/loading/when-idle.ts";
import { groupsQuery, tagsQuery } from "../channel-queries.ts";
import { type ChannelFilters, readChannelView } from "../channel-list-search.ts";
import { ViewsButton } from "../../views/views-button.tsx";
import classes from "./channel-columns.module.css";

interface ChannelFiltersProps {
  filters: ChannelFilters;
  onChange(filters: ChannelFilters): void;
}

const STATUS_NAMES = ["enabled", "disabled", "autoDisabled", "dormant", "reserve"] as const;

/** An empty choice clears a filter. */
const numberOrNone = (text: string | null) => (text === null ? undefined : Number(text));

/** Narrows the list down to a tag, once some channel has one. */
function TagSelect({ filters, onChange }: ChannelFiltersProps) {
  const { t } = useTranslation("channels");
  const tags = useQuery({ ...tagsQuery, enabled: useIsIdle() });
  const names = (tags.data ?? []).map(({ tag }) => tag);
  const known = [...new Set([...names, ...(filters.tag === undefined ? [] : [filters.tag])])];
  if (known.length === 0) return null;
  return (
    <Select
      clearable
      searchable
      className={classes.filter ?? ""}
      aria-label={t("columns.tag")}
      placeholder={t("columns.tag")}
      data={known}
      value={filters.tag ?? null}
      onChange={(tag) => onChange({ ...filters, tag: tag ?? undefined })}
    />
  );
}

/** Narrows the list down to a state, a type, a group, a tag, or to what a view says. */
export function ChannelFilterSelects({ filters, onChange }: ChannelFiltersProps) {
  const { t, language } = useTranslation("channels");
  // The choices are there before somebody opens them, but the first paint does not wait.
  const groups = useQuery({ ...groupsQuery, enabled: useIsIdle() });
  const looks = { clearable: true, className: classes.filter ?? "" };
  return (
    <>
      <Select
        {...looks}
        aria-label={t("columns.status")}
        placeholder={t("columns.status")}
        data={STATUS_NAMES.map((name) => ({ value: String(CHANNEL_STATUS[name]), label: t(`status.${name}`) }))}
        value={filters.status === undefined ? null : String(filters.status)}
        onChange={(status) => onChange({ ...filters, status: numberOrNone(status) })}
      />
      <Select
        {...looks}
        searchable
        aria-label={t("columns.type")}
        placeholder={t("columns.type")}
        data={CHANNEL_TYPES.map((info) => ({
          value: String(info.type),
          label: channelTypeLabel(info.type, language) ?? info.label,
          keywords: channelTypeKeywords(info),
        }))}
        value={filters.type === undefined ? null : String(filters.type)}
        onChange={(type) => onChange({ ...filters, type: numberOrNone(type) })}
      />
      <Select
        {...looks}
        aria-label={t("columns.group")}
        placeholder={t("columns.group")}
        data={[
          ...new Set(["default", ...(groups.data ?? []), ...(filters.group === undefined ? [] : [filters.group])]),
        ]}
        value={filters.group ?? null}
        onChange={(group) => onChange({ ...filters, group: group ?? undefined })}
      />
      <TagSelect filters={filters} onChange={onChange} />
      <ViewsButton page="channels" read={readChannelView} />
    </>
  );
}
