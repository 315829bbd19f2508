import type { SystemState } from "@one-api/contract/system/system";
import { Card } from "../../components/boxes/card.tsx";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { PlainTable } from "../../components/data-table/plain-table.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { formatInterval, formatMilliseconds } from "./system-format.ts";
import { REFRESH_MS } from "./system-queries.ts";
import classes from "./system.module.css";

type Server = SystemState["servers"][number];
type Job = SystemState["jobs"][number];

const TONES: Readonly<Record<Server["state"], StatusTone>> = {
  live: "good",
  silent: "warning",
  dead: "danger",
  stopped: "neutral",
};

export function Servers({ servers }: { servers: SystemState["servers"] }) {
  const { t, language } = useTranslation("system");
  const nameOf = ({ name, id, is_this: isThis }: Server) => (
    <>
      {name === "" ? t("servers.unnamed", { id }) : name}
      {isThis && <span className={classes.note}>{t("servers.this")}</span>}
      {name === "" && <span className={classes.note}>{t("servers.older")}</span>}
    </>
  );
  return (
    <Card title={t("servers.title")} description={t("servers.description")}>
      <PlainTable
        label={t("servers.title")}
        columns={[
          { label: t("servers.name") },
          { label: t("servers.state") },
          { label: t("servers.version"), isMinor: true },
          { label: t("servers.inFlight"), isNumber: true },
          { label: t("servers.reported") },
          { label: t("servers.started"), isMinor: true },
        ]}
        rows={servers.map((server) => ({
          key: server.id,
          cells: [
            nameOf(server),
            <StatusBadge key="state" tone={TONES[server.state]}>
              {t(`states.${server.state}`)}
            </StatusBadge>,
            server.version === "" ? "–" : server.version,
            server.name === "" ? "–" : formatInteger(server.in_flight, language),
            <RelativeTime key="reported" time={server.reported_at} />,
            <TimeText key="started" time={server.started_at} />,
          ],
        }))}
      />
    </Card>
  );
}

function JobResult({ job: { runs, last_error: error }, isLate }: { job: Job; isLate: boolean }) {
  const { t } = useTranslation("system");
  if (isLate) return <StatusBadge tone="warning">{t("jobs.late")}</StatusBadge>;
  if (runs === 0) return <span className={classes.quiet}>{t("jobs.notYet")}</span>;
  if (error === "") return <StatusBadge tone="good">{t("jobs.ok")}</StatusBadge>;
  return (
    <div className={classes.reason}>
      <StatusBadge tone="danger">{t("jobs.failed")}</StatusBadge>
      <span className={classes.note}>{error}</span>
    </div>
  );
}

/** Seconds after its time from which on a job is late. */
const LATE_S = 60;

/** Jobs that need a look stand first: failed ones, late ones, then those that ran. */
function rankOf({ last_error: error, next_run_at: next, runs }: Job, at: number): number {
  if (error !== "") return 0;
  if (next > 0 && next < at - LATE_S) return 1;
  return runs > 0 ? 2 : 3;
}

export function Jobs({ jobs, at }: Pick<SystemState, "jobs" | "at">) {
  const { t, language } = useTranslation("system");
  const ranked = jobs.toSorted((left, right) => rankOf(left, at) - rankOf(right, at));
  return (
    <Card title={t("jobs.title")}>
      <PlainTable
        label={t("jobs.title")}
        columns={[
          { label: t("jobs.name") },
          { label: t("jobs.result") },
          { label: t("jobs.every"), isNumber: true, isMinor: true },
          { label: t("jobs.duration"), isNumber: true, isMinor: true },
          { label: t("jobs.last") },
          { label: t("jobs.next"), isMinor: true },
        ]}
        rows={ranked.map((job) => ({
          key: job.name,
          cells: [
            t(`jobs.names.${job.name}`),
            <JobResult key="result" job={job} isLate={rankOf(job, at) === 1} />,
            formatInterval(job.every_ms, language),
            job.runs === 0 ? "–" : formatMilliseconds(job.last_ms, language),
            <RelativeTime key="last" time={job.last_run_at} />,
            job.next_run_at <= at + REFRESH_MS / 1_000 ? (
              t("jobs.now")
            ) : (
              <RelativeTime key="next" time={job.next_run_at} />
            ),
          ],
        }))}
      />
    </Card>
  );
}

export function Outages({ outages }: { outages: SystemState["outages"] }) {
  const { t, language } = useTranslation("system");
  return (
    <Card title={t("outages.title")} description={t("outages.description")}>
      <PlainTable
        label={t("outages.title")}
        columns={[
          { label: t("outages.started") },
          { label: t("outages.ended") },
          { label: t("outages.failedWrites"), isNumber: true },
          { label: t("outages.reason") },
        ]}
        rows={outages.map(({ started_at: started, ended_at: ended, failed_writes: failed, reason }) => ({
          key: `${started} ${ended}`,
          cells: [
            <TimeText key="started" time={started} />,
            ended === 0 ? (
              <StatusBadge key="ended" tone="danger">
                {t("outages.lasting")}
              </StatusBadge>
            ) : (
              <TimeText key="ended" time={ended} />
            ),
            formatInteger(failed, language),
            <div key="reason" className={classes.reason}>
              {reason === "" ? t("outages.onlyWrites") : reason}
            </div>,
          ],
        }))}
      />
    </Card>
  );
}
