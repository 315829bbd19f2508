import type { DashboardMarks } from "@one-api/contract/usage/dashboard";
import { Link } from "@tanstack/react-router";
import { formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { markPlaces } from "./mark-places.ts";
import classes from "./chart-marks.module.css";

interface ChartMarksProps {
  edges: readonly number[];
  marks: DashboardMarks;
}

const LISTED = 5;

export function ChartMarks({ edges, marks }: ChartMarksProps) {
  const { t } = useTranslation("dashboard");
  const prices = markPlaces(marks.price_changes, edges, (at) => at);
  const decisions = markPlaces(marks.decisions, edges, ({ at }) => at);
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
