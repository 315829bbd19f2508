import type { AuditEntry } from "@one-api/contract/audit";
import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { useQuery } from "@tanstack/react-query";
import { Card } from "../../components/boxes/card.tsx";
import { Line, LineList, NoLines } from "../../components/boxes/line-list.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { RelativeTime } from "../../components/relative-time.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { AuditSummary } from "../audit/audit-columns.tsx";
import { useActionText } from "../audit/audit-words.tsx";
import { auditOfUserQuery } from "./page-queries.ts";
import classes from "./user-page.module.css";

function AuditLine({ entry, userId }: { entry: AuditEntry; userId: number }) {
  const { t } = useTranslation("user-page");
  const actionText = useActionText();
  const { id, action, object_name: object, actor_id: actorId, actor_name: actor, detail_count: changes } = entry;
  const about = entry.object === `user:${userId}` ? "" : object;
  return (
    <Line
      name={
        <>
          <TextLink to="/audit" search={{ open: id }} inherit underline="always">
            {actionText(action)}
          </TextLink>{" "}
          {about}
        </>
      }
      end={<RelativeTime time={entry.created_at} />}
    >
      {actorId !== userId && actorId !== 0 && <span>{t("audit.by", { name: actor })}</span>}
      {changes > 0 && (
        <span className={classes.summary}>
          <AuditSummary entry={entry} />
        </span>
      )}
    </Line>
  );
}

/** Actions by the user and changes of the user by others, logins included. */
export default function AuditCard({ user: { id, username } }: { user: ManagedUser }) {
  const { t } = useTranslation("user-page");
  const { data, error, refetch } = useQuery(auditOfUserQuery(id, username));
  return (
    <Card
      title={t("audit.title")}
      actions={
        <TextLink to="/audit" search={{ actor: username }} size="sm">
          {t("audit.all")}
        </TextLink>
      }
    >
      {data === undefined && error === null && <LoadingPlaceholder prompt={t("audit.title")} />}
      {error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && <NoLines>{t("audit.none")}</NoLines>}
      <LineList>
        {data?.map((entry) => (
          <AuditLine key={entry.id} entry={entry} userId={id} />
        ))}
      </LineList>
    </Card>
  );
}
