import { Button } from "@mantine/core";
import { Card } from "../../../components/boxes/card.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { DashboardSearch } from "../dashboard-search.ts";
import { HourMap } from "./hour-map.tsx";

interface HoursCardProps {
  search: DashboardSearch;
  edges: readonly number[];
  change(changes: DashboardSearch): void;
}

/** Time to the first token by hour and weekday. It is loaded on demand, as it costs the server a scan of the log. */
export function HoursCard({ search, edges, change }: HoursCardProps) {
  const { t } = useTranslation("dashboard");
  const isShown = search.hours !== undefined;
  const action = (
    <Button
      variant="default"
      size="compact-sm"
      aria-expanded={isShown}
      onClick={() => change({ hours: isShown ? undefined : 1 })}
    >
      {t(isShown ? "hours.hide" : "hours.show")}
    </Button>
  );
  return (
    <Card title={t("hours.title")} actions={action} isCompact={!isShown}>
      {isShown && <HourMap scope={search} edges={edges} />}
    </Card>
  );
}
