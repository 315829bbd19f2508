import type { HoursOfWeek } from "@one-api/contract/usage/dashboard";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { LoadingPlaceholder } from "../../../components/loading-placeholder.tsx";
import { formatInteger, formatSeconds } from "../../../lib/format.ts";
import { formatTimeLabel } from "../../../lib/format-time-label.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Scope } from "../breakdown/dashboard-scope.ts";
import { useHoursOfWeek } from "./wall-queries.ts";
import classes from "./hour-map.module.css";

const DAY_HOURS = 24;
const HOURS = Array.from({ length: DAY_HOURS }, (_, hour) => hour);
/** Any Monday to Sunday, at noon. */
const WEEKDAYS = Array.from({ length: 7 }, (_, day) => new Date(2024, 0, 1 + day, 12).getTime() / 1_000);
const SHADES = [1, 2, 3, 4, 5];

/** Returns the shade of a time: each shade has an equal part of the hours. */
function shadesOf(hours: HoursOfWeek): (ms: number) => number {
  const sorted = hours.map(({ first_byte_p50_ms: ms }) => ms).toSorted((left, right) => left - right);
  return (ms) => SHADES[Math.floor((SHADES.length * sorted.indexOf(ms)) / sorted.length)] ?? 0;
}

interface HourMapProps {
  scope: Scope;
  edges: readonly number[];
}

interface HourCellProps {
  found: HoursOfWeek[number] | undefined;
  shadeOf(ms: number): number;
}

function HourCell({ found, shadeOf }: HourCellProps) {
  const { t, language } = useTranslation("dashboard");
  if (found === undefined) {
    return (
      <td>
        <span className="visually-hidden">–</span>
      </td>
    );
  }
  const text = t("hours.cell", {
    p50: formatSeconds(found.first_byte_p50_ms),
    p95: formatSeconds(found.first_byte_p95_ms),
    count: found.streams,
    number: formatInteger(found.streams, language),
  });
  return (
    <td data-shade={shadeOf(found.first_byte_p50_ms)} title={text}>
      <span className="visually-hidden">{text}</span>
    </td>
  );
}

function HourTable({ hours }: { hours: HoursOfWeek }) {
  const { t, language } = useTranslation("dashboard");
  const shadeOf = shadesOf(hours);
  const byHour = new Map(hours.map((one) => [one.hour, one]));
  return (
    <table className={classes.map}>
      <thead>
        <tr>
          <th scope="col">
            <span className="visually-hidden">{t("hours.day")}</span>
          </th>
          {HOURS.map((hour) => (
            <th key={hour} scope="col">
              {hour}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {WEEKDAYS.map((day, index) => (
          <tr key={day}>
            <th scope="row">{formatTimeLabel(day, "dayOfWeek", language)}</th>
            {HOURS.map((hour) => (
              <HourCell key={hour} found={byHour.get(index * DAY_HOURS + hour)} shadeOf={shadeOf} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The median time to the first token as a table of weekdays and hours; darker is slower. */
export function HourMap({ scope, edges }: HourMapProps) {
  const { t } = useTranslation("dashboard");
  const { data, error, refetch } = useHoursOfWeek(scope, edges);
  if (data === undefined)
    return error === null ? <LoadingPlaceholder /> : <ListError error={error} onRetry={() => void refetch()} />;
  if (data.length === 0) return <EmptyState title={t("empty.title")} text={t("hours.empty")} />;
  return (
    <>
      <ScrollBox label={t("hours.title")} className={classes.frame}>
        <HourTable hours={data} />
      </ScrollBox>
      <Scale data={data} />
    </>
  );
}

function Scale({ data }: { data: HoursOfWeek }) {
  const { t } = useTranslation("dashboard");
  const times = data.map(({ first_byte_p50_ms: ms }) => ms);
  return (
    <p className={classes.scale}>
      {t("hours.fastest", { time: formatSeconds(Math.min(...times)) })}
      {SHADES.map((shade) => (
        <span key={shade} data-shade={shade} aria-hidden="true" />
      ))}
      {t("hours.slowest", { time: formatSeconds(Math.max(...times)) })}
    </p>
  );
}
