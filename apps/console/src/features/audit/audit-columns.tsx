import type { AuditEntry } from "@one-api/contract/audit";
import type { DataColumn } from "../../components/data-table/data-column.ts";
import { TimeText } from "../../components/time-text.tsx";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./audit.module.css";
import { metricIn, useFieldName, useValueText } from "./audit-values.ts";
import { AuditActor, AuditObject, useActionText } from "./audit-words.tsx";
import { useReasonDetails } from "./reason-details.ts";

/** First changes in one line; for automatic actions the reason. */
export function AuditSummary({ entry: { object, object_name, details, detail_count } }: { entry: AuditEntry }) {
  const { t } = useTranslation("audit");
  const reason = useReasonDetails()(details);
  const valueText = useValueText();
  const fieldName = useFieldName();
  const metric = metricIn(details);
  const isOption = object.startsWith("option:");
  if (details.length === 0) return <span className={classes.quiet}>–</span>;
  const words = details
    .filter(({ from, to }) => from !== undefined || to !== object_name)
    .map(({ field, from, to }) => {
      const textOf = (text: string) => valueText({ object, field, text, metric });
      const value = from === undefined ? textOf(to) : `${textOf(from)} → ${textOf(to)}`;
      // The object names the setting.
      return isOption && field === "value" ? value : t("named", { name: fieldName(field), value });
    });
  const left = detail_count - details.length;
  const listed = [...words, ...(left > 0 ? [t("more", { count: left })] : [])].join(" · ");
  const text = reason === undefined ? listed : [reason.sentence, reason.quote].join(" ").trim();
  return (
    <span className={classes.summary} title={text}>
      {text}
    </span>
  );
}

function OpenButton({ action, onPress }: { action: string; onPress(): void }) {
  const actionText = useActionText();
  return (
    <button type="button" className={classes.open} onClick={onPress}>
      {actionText(action)}
    </button>
  );
}

export function auditColumns(t: Translate<"audit">, open: (id: number) => void): DataColumn<AuditEntry>[] {
  return [
    {
      id: "created_at",
      header: t("columns.time"),
      card: "badge",
      cell: ({ created_at }) => <TimeText time={created_at} />,
    },
    { id: "actor", header: t("columns.actor"), cell: (entry) => <AuditActor entry={entry} /> },
    {
      id: "action",
      header: t("columns.action"),
      card: "title",
      cell: ({ id, action }) => <OpenButton action={action} onPress={() => open(id)} />,
    },
    { id: "object", header: t("columns.object"), cell: (entry) => <AuditObject entry={entry} /> },
    {
      id: "details",
      header: t("columns.details"),
      card: "wide",
      growsFrom: 184,
      isEmpty: ({ details }) => details.length === 0,
      cell: (entry) => <AuditSummary entry={entry} />,
    },
    {
      id: "address",
      header: t("columns.address"),
      card: "none",
      priority: 3,
      cell: ({ address }) => (address === "" ? <span className={classes.quiet}>–</span> : <code>{address}</code>),
    },
  ];
}
