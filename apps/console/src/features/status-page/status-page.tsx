import type { AvailabilityState, ModelAvailability } from "@one-api/contract/usage/availability";
import type { FirstByte } from "@one-api/contract/usage/first-byte";
import { useQuery } from "@tanstack/react-query";
import { ButtonLink } from "../../components/buttons/button-link.tsx";
import { EmptyState } from "../../components/data-table/empty-state.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { MessagePage } from "../../components/message-page.tsx";
import { PageHeader } from "../../components/page-header.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { formatSeconds } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { useIsAdmin } from "../../lib/state/session.ts";
import { useDelayed } from "../../lib/use-delayed.ts";
import { availabilityQuery } from "./availability-query.ts";
import { dayBefore, Incidents } from "./incidents.tsx";
import { TONES } from "./state-tones.ts";
import classes from "./status-page.module.css";
import { usePercent } from "./use-percent.ts";

const SPANS = ["day", "week", "month"] as const;

const TROUBLE: Readonly<Record<AvailabilityState, number>> = { fails: 3, troubled: 2, few: 1, works: 0, unused: 0 };

function byTrouble(left: ModelAvailability, right: ModelAvailability): number {
  return TROUBLE[right.day.state] - TROUBLE[left.day.state];
}

/** Within a state, fewer failed requests than this part are a lighter shade. */
const LIGHT_BELOW: Readonly<Record<AvailabilityState, number>> = {
  works: 0,
  troubled: 0.03,
  fails: 0.5,
  few: 0,
  unused: 0,
};

function shadeOf(state: AvailabilityState, part: number | null): "light" | "full" {
  const failed = 1 - (part ?? 1);
  // Among working days, those with failures are the lighter ones.
  if (state === "works") return failed > 0 ? "light" : "full";
  return failed < LIGHT_BELOW[state] ? "light" : "full";
}

/** The last 30 days, a mark each. */
function Days({ model: { model, days, day_states: states }, at }: { model: ModelAvailability; at: number }) {
  const { t } = useTranslation("status-page");
  const percent = usePercent();
  return (
    <ol className={classes.days} aria-label={t("days", { model })}>
      {days.map((part, index) => {
        const date = dayBefore(at, days.length - 1 - index);
        const state = states[index] ?? "unused";
        const text = [`${date}: ${percent(part)}`, ...(state === "unused" ? [] : [t(`states.${state}`)])].join(" · ");
        return (
          <li key={date} className={classes.mark} data-state={state} data-shade={shadeOf(state, part)} title={text}>
            <span className="visually-hidden">{text}</span>
          </li>
        );
      })}
    </ol>
  );
}

/** The time until the first token: p50 and p95, a line each. */
function FirstToken({ of: { first_byte_p50_ms: p50, first_byte_p95_ms: p95 } }: { of: FirstByte }) {
  const { t } = useTranslation("status-page");
  if (p50 === null || p95 === null) return null;
  return (
    <>
      <span className={classes.quiet}>{t("p50", { time: formatSeconds(p50) })}</span>
      <span className={classes.quiet}>{t("p95", { time: formatSeconds(p95) })}</span>
    </>
  );
}

/** State of all models together in the last 24 hours. */
function Headline({ models, at }: { models: readonly ModelAvailability[]; at: number }) {
  const { t } = useTranslation("status-page");
  const count = (wanted: AvailabilityState) => models.filter(({ day: { state } }) => state === wanted).length;
  const worst = (["fails", "troubled", "few"] as const).find((state) => count(state) > 0) ?? "works";
  return (
    <div className={classes.headline} data-state={worst} role="status">
      <strong>{t(`headlines.${worst}`, { count: count(worst) })}</strong>
      <span className={classes.quiet}>
        {t("at")} <RelativeTime time={at} />
      </span>
    </div>
  );
}

function Model({ model, at }: { model: ModelAvailability; at: number }) {
  const { t } = useTranslation("status-page");
  const percent = usePercent();
  const { state } = model.day;
  return (
    <li className={classes.model}>
      <div className={classes.head}>
        <h2 className={classes.name}>{model.model}</h2>
        <StatusBadge tone={TONES[state]}>{t(`states.${state}`)}</StatusBadge>
      </div>
      <div>
        <Days model={model} at={at} />
        <div className={classes.axis} aria-hidden="true">
          <span>{t("axis.first")}</span>
          <span>{t("axis.last")}</span>
        </div>
      </div>
      <dl className={classes.spans}>
        {SPANS.map((span) => (
          <div key={span}>
            <dt>{t(`spans.${span}`)}</dt>
            <dd className="numbers">
              <span data-tone={TONES[model[span].state]}>{percent(model[span].availability)}</span>
              <FirstToken of={model[span]} />
            </dd>
          </div>
        ))}
      </dl>
    </li>
  );
}

const LEGEND: readonly AvailabilityState[] = ["works", "troubled", "fails", "few", "unused"];

/** Colours of the days. Each day says its state in words too. */
function Legend() {
  const { t } = useTranslation("status-page");
  return (
    <ul className={classes.legend} aria-hidden="true">
      {LEGEND.map((state) => (
        <li key={state}>
          <span className={classes.mark} data-state={state} />
          {t(`legend.${state}`)}
        </li>
      ))}
    </ul>
  );
}

function Availability() {
  const { t } = useTranslation("status-page");
  const { data, error, isPending, refetch } = useQuery(availabilityQuery);
  const showLoading = useDelayed(isPending);
  if (isPending) return showLoading ? <LoadingPlaceholder /> : null;
  if (data === undefined) return <ListError error={error} onRetry={() => void refetch()} />;
  if (data.models.length === 0) return <EmptyState title={t("empty.title")} text={t("empty.text")} />;
  return (
    <>
      <Headline models={data.models} at={data.at} />
      <ul className={classes.models}>
        {data.models.toSorted(byTrouble).map((model) => (
          <Model key={model.model} model={model} at={data.at} />
        ))}
      </ul>
      <Legend />
      <Incidents models={data.models} at={data.at} />
    </>
  );
}

/** Public once an administrator has switched it on. */
export default function StatusPage() {
  const { t } = useTranslation("status-page");
  const { status_page_enabled: isOn } = useStoredStatus();
  const isAdmin = useIsAdmin();
  if (!isOn) {
    return (
      <MessagePage
        title={t("off.title")}
        text={t(isAdmin ? "off.textForAdmins" : "off.text")}
        action={
          isAdmin && (
            <ButtonLink to="/setting" search={{ option: "StatusPageEnabled" }}>
              {t("off.set")}
            </ButtonLink>
          )
        }
      />
    );
  }
  return (
    <>
      <PageHeader title={t("title")} description={t("text")} />
      <Availability />
    </>
  );
}
