import { Button } from "@mantine/core";
import { IconArrowsSort } from "@tabler/icons-react";
import { MenuButton } from "../../../components/floating/menu-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { ListSearch } from "../../../lib/list/use-list-search.ts";
import type { ChannelGrouping } from "../channel-list-search.ts";

interface ArrangeButtonProps {
  search: ListSearch;
  groupedBy: ChannelGrouping | undefined;
}

/** The newest channel has the highest id. */
const NEWEST_FIRST = { columnId: "id", descending: true } as const;

/** Orders the list by trouble, which is its own order, or by age; groups it by provider or tag. */
export function ArrangeButton({ search, groupedBy }: ArrangeButtonProps) {
  const { t } = useTranslation("channels");
  const { sort } = search;
  const isByTrouble = sort === undefined || sort.columnId === "trouble";
  const isByAge = sort?.columnId === NEWEST_FIRST.columnId && sort.descending;
  const groupings = [undefined, "type", "tag"] as const;
  const nameOf = { type: t("arrange.type"), tag: t("arrange.tag") };
  const chosen = [
    ...(isByTrouble ? [t("arrange.trouble")] : []),
    ...(isByAge ? [t("arrange.newest")] : []),
    ...(groupedBy === undefined ? [] : [nameOf[groupedBy]]),
  ];
  return (
    <MenuButton
      entries={[
        { id: "order", label: t("arrange.order") },
        {
          id: "trouble",
          label: t("arrange.trouble"),
          isOn: isByTrouble,
          onToggle: () => search.setSort(undefined),
        },
        { id: "newest", label: t("arrange.newest"), isOn: isByAge, onToggle: () => search.setSort(NEWEST_FIRST) },
        { id: "groups", label: t("arrange.groups") },
        ...groupings.map((grouping) => ({
          id: grouping ?? "none",
          label: grouping === undefined ? t("arrange.none") : nameOf[grouping],
          isOn: grouping === groupedBy,
          onToggle: () => search.setFilters({ grouped: grouping }),
        })),
      ]}
      renderButton={(props) => (
        <Button variant="default" leftSection={<IconArrowsSort size={16} />} {...props}>
          {chosen.length === 0 ? t("arrange.action") : chosen.join(" · ")}
        </Button>
      )}
    />
  );
}
