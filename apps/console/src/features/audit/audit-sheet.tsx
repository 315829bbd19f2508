import { Button } from "@mantine/core";
import type { AuditDetail, AuditEntry } from "@one-api/contract/audit";
import { ScrollBox } from "../../components/boxes/scroll-box.tsx";
import { Facts } from "../../components/boxes/facts.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { Sheet } from "../../components/dialogs/sheet.tsx";
import { SheetSection } from "../../components/dialogs/sheet-section.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { formatInteger } from "../../lib/format.ts";
import type { Translate } from "../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useOpenId, useOpenRow } from "../../lib/list/use-open-row.ts";
import { useAuditEntry } from "./audit-queries.ts";
import type { AuditFilters } from "./audit-search.ts";
import classes from "./audit.module.css";
import { meaningOf, metricIn, useFieldName, useValueText } from "./audit-values.ts";
import { AuditActor, AuditObject, useActionText } from "./audit-words.tsx";
import { useReasonDetails } from "./reason-details.ts";

interface ContentProps {
  object: string;
  field: string;
  text: string;
  metric: string | undefined;
}

function Content(value: ContentProps) {
  const { language } = useTranslation();
  const valueText = useValueText();
  const meaning = meaningOf(value);
  if (meaning?.kind === "moment") return <TimeText time={meaning.time} />;
  return meaning?.kind === "quota"
    ? `${formatInteger(meaning.quota, language)} (${valueText(value)})`
    : valueText(value);
}

function Value({ kind, ...value }: ContentProps & { kind: "from" | "to" }) {
  const { t } = useTranslation("audit");
  const fieldName = useFieldName();
  if (value.text === "") return <span className={classes.quiet}>{t("sheet.nothing")}</span>;
  const Mark = kind === "from" ? "del" : "ins";
  return (
    <ScrollBox label={fieldName(value.field)} className={classes.value}>
      <Mark>
        <Content {...value} />
      </Mark>
    </ScrollBox>
  );
}

function Reason({ sentence, quote }: { sentence: string; quote: string }) {
  const { t } = useTranslation("audit");
  return (
    <SheetSection title={t("sheet.reason")}>
      <p className={classes.reason}>{sentence}</p>
      {quote !== "" && (
        <p className={classes.quiet} lang="en">
          {quote}
        </p>
      )}
    </SheetSection>
  );
}

function Details({ object, details }: { object: string; details: readonly AuditDetail[] }) {
  const { t } = useTranslation("audit");
  const fieldName = useFieldName();
  const reason = useReasonDetails()(details);
  const shared = { object, metric: metricIn(details) };
  const changes = details.filter(({ from }) => from !== undefined);
  const facts = (reason?.others ?? details).filter(({ from }) => from === undefined);
  return (
    <>
      {changes.length > 0 && (
        <SheetSection title={t("sheet.changes")}>
          <dl className={classes.changes}>
            {changes.map(({ field, from = "", to }) => (
              <div key={field}>
                <dt title={field}>{fieldName(field)}</dt>
                <dd>
                  <span className={classes.side}>{t("sheet.before")}</span>
                  <Value {...shared} field={field} text={from} kind="from" />
                </dd>
                <dd>
                  <span className={classes.side}>{t("sheet.after")}</span>
                  <Value {...shared} field={field} text={to} kind="to" />
                </dd>
              </div>
            ))}
          </dl>
        </SheetSection>
      )}
      {reason !== undefined && <Reason sentence={reason.sentence} quote={reason.quote} />}
      {facts.length > 0 && (
        <SheetSection title={t("sheet.facts")}>
          <Facts
            layout="lines"
            facts={facts.map(({ field, to }) => ({
              label: fieldName(field),
              value: (
                <ScrollBox label={fieldName(field)} className={classes.value}>
                  <Content {...shared} field={field} text={to} />
                </ScrollBox>
              ),
            }))}
          />
        </SheetSection>
      )}
    </>
  );
}

function viaText(t: Translate<"audit">, { via, via_name: name }: AuditEntry): string {
  if (via === "session" || via === "access-token") return t(`via.${via}`);
  return t("via.management-key", { name: name === "" ? via : name });
}

function Entry({ entry, onFilter }: { entry: AuditEntry; onFilter(filters: AuditFilters): void }) {
  const { t } = useTranslation("audit");
  const { created_at, actor_name, address, via, request_id, object, details } = entry;
  return (
    <>
      <Facts
        facts={[
          { label: t("columns.time"), value: <TimeText time={created_at} /> },
          { label: t("columns.actor"), value: <AuditActor entry={entry} withRole /> },
          address !== "" && { label: t("columns.address"), value: <code>{address}</code> },
          via !== "" && { label: t("sheet.via"), value: viaText(t, entry) },
          { label: t("columns.object"), value: <AuditObject entry={entry} />, isWide: true },
          request_id !== "" && { label: t("sheet.requestId"), value: <code>{request_id}</code>, isWide: true },
        ]}
      />
      <div className={classes.related}>
        <Button variant="default" size="compact-sm" onClick={() => onFilter({ object })}>
          {t("sheet.sameObject")}
        </Button>
        {actor_name !== "" && (
          <Button variant="default" size="compact-sm" onClick={() => onFilter({ actor: actor_name })}>
            {t("sheet.sameActor")}
          </Button>
        )}
      </div>
      <Details object={object} details={details} />
      {details.length === 0 && <p className={classes.quiet}>{t("sheet.noDetails")}</p>}
    </>
  );
}

interface AuditSheetProps {
  onFilter(filters: AuditFilters): void;
}

export function AuditSheet({ onFilter }: AuditSheetProps) {
  const { t } = useTranslation("audit");
  const actionText = useActionText();
  const openId = useOpenId();
  const { close } = useOpenRow();
  const { data: entry, error, refetch } = useAuditEntry(openId);
  const isOpen = openId !== undefined && (entry !== undefined || error !== null);
  return (
    <Sheet opened={isOpen} onClose={close} title={entry === undefined ? t("title") : actionText(entry.action)}>
      {entry !== undefined && <Entry entry={entry} onFilter={onFilter} />}
      {entry === undefined && error !== null && <ListError error={error} onRetry={() => void refetch()} />}
    </Sheet>
  );
}
