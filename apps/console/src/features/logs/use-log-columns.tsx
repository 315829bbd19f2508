import type { Log } from "@one-api/contract/log";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { QuotaText } from "../../components/quota-text.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useIsAdmin } from "../../lib/session.ts";
import classes from "./log-columns.module.css";
import { LogDetailsCell } from "./log-details-cell.tsx";
import { LogTypeBadge } from "./log-type-badge.tsx";
import { isModelCall } from "./log-types.ts";
import { TimeTakenCell } from "./time-taken-cell.tsx";

const none = <span className={classes.none}>–</span>;
const named = (name: string) =>
  name === "" ? (
    none
  ) : (
    <span className={classes.name} title={name}>
      {name}
    </span>
  );

/** The columns of the log; channel and user are for administrators. The time opens the entry, so that the keyboard can. */
export function useLogColumns(onOpen: (id: number) => void): DataColumn<Log>[] {
  const { t, i18n } = useTranslation("logs");
  const isAdmin = useIsAdmin();
  const amount = (log: Log, tokens: number) => (isModelCall(log.type) ? formatInteger(tokens, i18n.language) : none);
  const forAdmins: DataColumn<Log>[] = [
    { id: "channel", header: t("columns.channel"), cell: ({ channel }) => (channel === 0 ? none : `#${channel}`) },
    { id: "user", header: t("columns.user"), cell: ({ username }) => named(username) },
  ];
  return [
    {
      id: "time",
      header: t("columns.time"),
      card: "title",
      cell: (log) => (
        <button type="button" className={classes.open} aria-haspopup="dialog" onClick={() => onOpen(log.id)}>
          <TimeText time={log.created_at} />
        </button>
      ),
    },
    ...(isAdmin ? forAdmins : []),
    { id: "token", header: t("columns.token"), cell: (log) => named(log.token_name) },
    { id: "type", header: t("columns.type"), card: "badge", cell: (log) => <LogTypeBadge log={log} /> },
    {
      id: "model",
      header: t("columns.model"),
      cell: (log) => <span className={classes.model}>{named(log.model_name)}</span>,
    },
    { id: "prompt", header: t("columns.prompt"), align: "right", cell: (log) => amount(log, log.prompt_tokens) },
    {
      id: "completion",
      header: t("columns.completion"),
      align: "right",
      cell: (log) => amount(log, log.completion_tokens),
    },
    {
      id: "quota",
      header: t("columns.quota"),
      align: "right",
      cell: (log) => (log.quota === 0 && !isModelCall(log.type) ? none : <QuotaText quota={log.quota} />),
    },
    {
      id: "timeTaken",
      header: t("columns.timeTaken"),
      hint: t("columns.timeTakenHint"),
      align: "right",
      cell: (log) => <TimeTakenCell log={log} />,
    },
    {
      id: "details",
      header: t("columns.details"),
      width: 132,
      card: "wide",
      cell: (log) => <LogDetailsCell log={log} />,
    },
  ];
}
