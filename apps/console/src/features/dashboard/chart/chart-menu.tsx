import { ActionIcon } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { MenuButton } from "../../../components/floating/menu-button.tsx";
import type { MenuEntry } from "../../../components/floating/menu-entry.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { edgesInSteps } from "../dashboard-range.ts";
import { DASHBOARD_STEPS, type DashboardSearch } from "../dashboard-search.ts";
import { isSplittable } from "./usage-series.ts";

interface ChartMenuProps {
  edges: readonly number[];
  search: DashboardSearch;
  change(changes: DashboardSearch): void;
}

export function ChartMenu({ edges, search, change }: ChartMenuProps) {
  const { t } = useTranslation("dashboard");
  const { metric = "spend", step, sum, compare } = search;
  const isAdded = sum !== undefined && isSplittable(metric);
  const entries: MenuEntry[] = [
    {
      id: "sum",
      label: t("chart.addUp"),
      isDisabled: !isSplittable(metric),
      isOn: isAdded,
      onToggle: () => change({ sum: isAdded ? undefined : 1 }),
    },
    {
      id: "compare",
      label: t("chart.compare"),
      isOn: compare === undefined,
      onToggle: () => change({ compare: compare === undefined ? 0 : undefined }),
    },
    { id: "steps", label: t("chart.steps.title") },
    {
      id: "fitting",
      label: t("chart.steps.fitting"),
      isOn: step === undefined,
      onToggle: () => change({ step: undefined }),
    },
    ...DASHBOARD_STEPS.map((name) => ({
      id: name,
      label: t(`chart.steps.${name}`),
      isDisabled: edgesInSteps(edges, name) === undefined,
      isOn: step === name,
      onToggle: () => change({ step: step === name ? undefined : name }),
    })),
  ];
  return (
    <MenuButton
      entries={entries}
      renderButton={(props) => (
        <ActionIcon data-tip={t("chart.menu")} aria-label={t("chart.menu")} {...props}>
          <IconAdjustmentsHorizontal size={16} />
        </ActionIcon>
      )}
    />
  );
}
