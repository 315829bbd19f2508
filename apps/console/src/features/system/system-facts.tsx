import type { SystemState } from "@one-api/contract/system/system";
import { Card } from "../../components/boxes/card.tsx";
import { Facts } from "../../components/boxes/facts.tsx";
import { ShareBar } from "../../components/charts/share-bar.tsx";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { formatInteger, formatNumber, formatPercent } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { formatBytes, formatMilliseconds } from "./system-format.ts";
import classes from "./system.module.css";

const DATABASES = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;

interface UsedShareProps {
  label: string;
  used: number;
  limit: number;
  text: string;
}

/** A limited resource: how much is used, in words and as a bar. */
function UsedShare({ label, used, limit, text }: UsedShareProps) {
  return (
    <span className={classes.used}>
      <span className="numbers">{text}</span>
      <ShareBar used={used} limit={limit} label={label} />
    </span>
  );
}

export function DatabaseFacts({ database, outages }: Pick<SystemState, "database" | "outages">) {
  const { t, language } = useTranslation("system");
  const { connections, all_connections: all, is_writable: isWritable } = database;
  const number = (value: number) => formatInteger(value, language);
  const ofLimit = (used: number, limit: number) => t("database.ofLimit", { used: number(used), limit: number(limit) });
  return (
    <Card title={t("database.title")} description={`${DATABASES[database.kind]} ${database.version}`}>
      <Facts
        layout="lines"
        facts={[
          {
            label: t("database.state"),
            value: (
              <StatusBadge tone={isWritable ? "good" : "danger"}>
                {t(isWritable ? "database.writable" : "database.notWritable")}
              </StatusBadge>
            ),
          },
          { label: t("database.size"), value: formatBytes(database.bytes, language), isNumber: true },
          {
            label: t("database.connections"),
            value: (
              <UsedShare
                label={t("database.connections")}
                text={ofLimit(connections.busy, connections.limit)}
                used={connections.busy}
                limit={connections.limit}
              />
            ),
          },
          { label: t("database.waiting"), value: number(connections.waiting), isNumber: true },
          { label: t("database.failedWrites"), value: number(database.failed_writes), isNumber: true },
          outages.length === 0 && { label: t("outages.since"), value: t("outages.none") },
          all !== null && {
            label: t("database.all"),
            value: (
              <UsedShare
                label={t("database.all")}
                text={ofLimit(all.open, all.limit)}
                used={all.open}
                limit={all.limit}
              />
            ),
          },
        ]}
      />
    </Card>
  );
}

const STORE_TONES: Readonly<Record<SystemState["log_store"]["state"], StatusTone>> = {
  off: "neutral",
  starting: "info",
  rebuilding: "warning",
  following: "good",
  idle: "neutral",
  stalled: "danger",
};

export function LogStoreFacts({ store }: { store: SystemState["log_store"] }) {
  const { t, language } = useTranslation("system");
  return (
    <Card title={t("logStore.title")} description={t("logStore.description")}>
      <Facts
        layout="lines"
        facts={[
          {
            label: t("logStore.state"),
            value: <StatusBadge tone={STORE_TONES[store.state]}>{t(`logStore.states.${store.state}`)}</StatusBadge>,
          },
          store.state !== "off" && {
            label: t("logStore.progress"),
            value: formatPercent(store.progress, language, 1, "floor"),
            isNumber: true,
          },
          store.state !== "off" && {
            label: t("logStore.behind"),
            value: formatInteger(store.behind, language),
            isNumber: true,
          },
        ]}
      />
    </Card>
  );
}

export function ProcessFacts({ process }: { process: SystemState["process"] }) {
  const { t, language } = useTranslation("system");
  const { event_loop_delay: delay } = process;
  const bytes = (value: number) => formatBytes(value, language);
  // One unit for both: that of the limit.
  const bytesOfLimit = (used: number, limit: number) =>
    t("database.ofLimit", { used: formatBytes(used, language, limit, false), limit: bytes(limit) });
  // One unit, after the last, so that they stay on a line.
  const number = (value: number) => formatNumber(value, language, value < 10 ? 1 : 0);
  const milliseconds = (value: number) => formatMilliseconds(value, language);
  return (
    <Card title={t("process.title")} description={t("process.node", { version: process.node })}>
      <Facts
        layout="lines"
        facts={[
          { label: t("process.memory"), value: bytes(process.memory_bytes), isNumber: true },
          { label: t("process.heap"), value: bytes(process.heap_bytes), isNumber: true },
          {
            label: t("process.delay"),
            value:
              delay === null
                ? t("process.measuring")
                : t("process.delayValue", {
                    p50: number(delay.p50_ms),
                    p99: number(delay.p99_ms),
                    max: milliseconds(delay.max_ms),
                  }),
            isNumber: true,
          },
          ...process.budgets.map(({ name, used_bytes: used, limit_bytes: limit }) => ({
            label: t(`process.budgets.${name}`),
            value: (
              <UsedShare label={t(`process.budgets.${name}`)} text={bytesOfLimit(used, limit)} {...{ used, limit }} />
            ),
          })),
        ]}
      />
    </Card>
  );
}

export function BalanceFacts({ balances, audit }: Pick<SystemState, "balances" | "audit">) {
  const { t, language } = useTranslation("system");
  const { checked_at: comparedAt, differences } = balances;
  const never = t("balances.never");
  const number = (value: number) => formatInteger(value, language);
  return (
    <Card
      title={t("balances.title")}
      description={
        <>
          <code>npm run check-balances</code> {t("balances.hint")}
        </>
      }
    >
      <Facts
        layout="lines"
        facts={[
          { label: t("balances.compared"), value: <TimeText time={comparedAt} never={never} /> },
          comparedAt > 0 && {
            label: t("balances.result"),
            value: (
              <StatusBadge tone={differences === 0 ? "good" : "danger"}>
                {differences === 0 ? t("balances.equal") : t("balances.differ", { count: number(differences) })}
              </StatusBadge>
            ),
          },
          {
            label: t("balances.sealed"),
            value: (
              <>
                <TimeText time={audit.sealed_up_to} never={never} />
                <span className={classes.note}>{t("balances.unsealed", { count: audit.unsealed })}</span>
              </>
            ),
          },
          { label: t("balances.checked"), value: <TimeText time={audit.checked_at} never={never} /> },
          audit.checked_at > 0 && {
            label: t("balances.changed"),
            value: (
              <StatusBadge tone={audit.problems === 0 ? "good" : "danger"}>
                {audit.problems === 0 ? t("balances.nothing") : number(audit.problems)}
              </StatusBadge>
            ),
          },
        ]}
      />
    </Card>
  );
}
