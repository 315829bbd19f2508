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

/** Puts trouble first, and groups the list by provider or tag. */
export function ArrangeButton({ search, groupedBy }: ArrangeButtonProps) {
  const { t } = useTranslation("channels");
  const isByTrouble = search.sort?.columnId === "trouble";
  const groupings = [undefined, "type", "tag"] as const;
  const nameOf = { type: t("arrange.type"), tag: t("arrange.tag") };
  const chosen = [
    ...(isByTrouble ? [t("arrange.trouble")] : []),
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
          onToggle: () => search.setSort(isByTrouble ? undefined : { columnId: "trouble", descending: true }),
        },
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
