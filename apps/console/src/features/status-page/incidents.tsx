import type { AvailabilityState, ModelAvailability } from "@one-api/contract/usage/availability";
import { Card } from "../../components/boxes/card.tsx";
import { NoLines } from "../../components/boxes/line-list.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { formatDate } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { TONES } from "./state-tones.ts";
import classes from "./status-page.module.css";
import { usePercent } from "./use-percent.ts";

const DAY_SECONDS = 86_400;
const MOST_SHOWN = 10;

interface Incident {
  readonly model: string;
  readonly daysAgo: number;
  readonly part: number | null;
  readonly state: AvailabilityState;
}

/** Date of a day before the last one of the calculation, in Unix seconds. */
export const dayBefore = (at: number, daysAgo: number) => formatDate(at - daysAgo * DAY_SECONDS);

/** Days of a model that were degraded or an outage, newest first. */
function incidentsOf(models: readonly ModelAvailability[]): readonly Incident[] {
  return models
    .flatMap(({ model, days, day_states: states }) =>
      states.map((state, index) => ({ model, daysAgo: states.length - 1 - index, part: days[index] ?? null, state })),
    )
    .filter(({ state }) => state === "fails" || state === "troubled")
    .toSorted((left, right) => left.daysAgo - right.daysAgo);
}

export function Incidents({ models, at }: { models: readonly ModelAvailability[]; at: number }) {
  const { t } = useTranslation("status-page");
  const percent = usePercent();
  const incidents = incidentsOf(models);
  return (
    <Card title={t("incidents.title")}>
      {incidents.length === 0 && <NoLines>{t("incidents.none")}</NoLines>}
      <ul className={classes.incidents}>
        {incidents.slice(0, MOST_SHOWN).map(({ model, daysAgo, part, state }) => (
          <li key={`${daysAgo} ${model}`}>
            <span className={classes.date}>{dayBefore(at, daysAgo)}</span>
            <span className={classes.affected}>{model}</span>
            <span className="numbers">{percent(part)}</span>
            <StatusBadge tone={TONES[state]}>{t(`states.${state}`)}</StatusBadge>
          </li>
        ))}
      </ul>
      {incidents.length > MOST_SHOWN && (
        <NoLines>{t("incidents.more", { count: incidents.length - MOST_SHOWN })}</NoLines>
      )}
    </Card>
  );
}
