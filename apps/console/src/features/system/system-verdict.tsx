import type { SystemState } from "@one-api/contract/system/system";
import { StatusBadge } from "../../components/status-badge.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./system.module.css";

/** Returns one sentence for each problem that the cards show. */
function useProblems({ servers, database, log_store: store, jobs, balances, audit }: SystemState): readonly string[] {
  const { t, language } = useTranslation("system", "common");
  const inState = (state: SystemState["servers"][number]["state"]) =>
    servers.filter((server) => server.state === state).length;
  const failed = jobs.filter(({ last_error: error }) => error !== "").map(({ name }) => t(`jobs.names.${name}`));
  const { differences } = balances;
  const [silent, dead] = [inState("silent"), inState("dead")];
  return [
    !database.is_writable && t("verdict.database"),
    silent > 0 && t("verdict.silent", { count: silent }),
    dead > 0 && t("verdict.dead", { count: dead }),
    store.state === "stalled" && t("verdict.logStore"),
    failed.length > 0 && t("verdict.jobs", { count: failed.length, names: failed.join(t("common:listSeparator")) }),
    differences > 0 && t("balances.differ", { count: formatInteger(differences, language) }),
    audit.problems > 0 && t("verdict.audit"),
  ].filter((problem) => problem !== false);
}

/** Whether anything below needs attention. */
export function SystemVerdict({ state }: { state: SystemState }) {
  const { t } = useTranslation("system");
  const problems = useProblems(state);
  return (
    <div className={classes.verdict} role="status">
      {problems.length === 0 && <StatusBadge tone="good">{t("verdict.none")}</StatusBadge>}
      {problems.map((problem) => (
        <StatusBadge key={problem} tone="danger">
          {problem}
        </StatusBadge>
      ))}
    </div>
  );
}
