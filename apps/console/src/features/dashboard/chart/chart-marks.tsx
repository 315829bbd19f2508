import type { DashboardMarks } from "@one-api/contract/usage/dashboard";
import { Link } from "@tanstack/react-router";
import { formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useMarks } from "../dashboard-queries.ts";
import { markPlaces } from "./mark-places.ts";
import classes from "./chart-marks.module.css";

interface ChartMarksProps {
  edges: readonly number[];
  marks: DashboardMarks;
}

const LISTED = 5;

function placesOf({ edges, marks }: ChartMarksProps) {
  return {
    prices: markPlaces(marks.price_changes, edges, (at) => at),
    decisions: markPlaces(marks.decisions, edges, ({ at }) => at),
  };
}

/** The marks of the large chart on a small one: lines alone. */
export function MarkLines({ edges }: { edges: readonly number[] }) {
  const { data: marks } = useMarks(edges);
  if (marks === undefined) return null;
  const { prices, decisions } = placesOf({ edges, marks });
  return (
    <div className={classes.marks} aria-hidden="true">
      {prices.map(({ interval, place }) => (
        <span key={`price ${interval}`} className={classes.mark} style={{ left: `${place}%` }} />
      ))}
      {decisions.map(({ interval, place }) => (
        <span key={`decision ${interval}`} className={classes.mark} data-tone="danger" style={{ left: `${place}%` }} />
      ))}
    </div>
  );
}

/** Legend of the marks. Screen readers read the lists of the marks instead. */
export function MarkLegend(shown: ChartMarksProps) {
  const { t } = useTranslation("dashboard");
  const { prices, decisions } = placesOf(shown);
  if (prices.length + decisions.length === 0) return null;
  return (
    <p className={classes.legend} aria-hidden="true">
      {prices.length > 0 && (
        <span className={classes.meaning}>
          <span className={classes.sign}>$</span>
          {t("marks.price")}
        </span>
      )}
      {decisions.length > 0 && (
        <span className={classes.meaning} data-tone="danger">
          <span className={classes.sign}>!</span>
          {t("marks.decision")}
        </span>
      )}
    </p>
  );
}

export function ChartMarks(shown: ChartMarksProps) {
  const { t } = useTranslation("dashboard");
  const { prices, decisions } = placesOf(shown);
  const textOf = ({ at, kind, channel_name: name, channel_id: id, model }: DashboardMarks["decisions"][number]) => {
    const channel = name === "" ? t("breakdown.goneChannel", { id }) : name;
    return [formatTime(at), channel, model, t(`marks.kinds.${kind}`)].filter((text) => text !== "").join(" · ");
  };
  return (
    <ul className={classes.marks} aria-label={t("marks.title")}>
      {prices.map(({ interval, place, found }) => {
        const text = `${t("marks.price")} · ${found.map(formatTime).join(", ")}`;
        return (
          <li key={`price ${interval}`} className={classes.mark} style={{ left: `${place}%` }}>
            <Link to="/audit" search={{ kind: "option" }} className={classes.sign} title={text} aria-label={text}>
              $
            </Link>
          </li>
        );
      })}
      {decisions.map(({ interval, place, found }) => {
        const more = found.length > LISTED ? ["…"] : [];
        const text = [...found.slice(0, LISTED).map(textOf), ...more].join("\n");
        return (
          <li key={`decision ${interval}`} className={classes.mark} data-tone="danger" style={{ left: `${place}%` }}>
            <Link
              to="/channel/$id"
              params={{ id: found.at(-1)?.channel_id ?? 0 }}
              className={classes.sign}
              title={text}
              aria-label={text}
            >
              !
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
