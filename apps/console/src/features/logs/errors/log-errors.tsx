import { Skeleton, UnstyledButton } from "@mantine/core";
import type { LogErrors } from "@one-api/contract/logs/log-totals";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { formatInteger } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FaultBadge } from "../log-outcome.tsx";
import { useLogErrors } from "../log-queries.ts";
import type { LogFilters } from "../log-search.ts";
import classes from "./log-errors.module.css";

type ErrorGroup = LogErrors["groups"][number];

function ErrorGroupRow({ group, onOpen }: { group: ErrorGroup; onOpen(id: number): void }) {
  const { t, language } = useTranslation("logs");
  const { kind, status_code, message, entries, first_at, last_at, newest_id, channels } = group;
  return (
    <li className={classes.group}>
      <span className={classes.count} title={t("errors.entries", { count: entries })}>
        {formatInteger(entries, language)}
      </span>
      <div className={classes.fault}>
        <div className={classes.head}>
          <FaultBadge kind={kind} status={status_code} />
          <span className={classes.when}>
            <RelativeTime time={last_at} />
            {entries > 1 && (
              <>
                {" · "}
                {t("errors.first")} <RelativeTime time={first_at} />
              </>
            )}
          </span>
        </div>
        <UnstyledButton
          className={classes.message ?? ""}
          data-empty={message === ""}
          aria-haspopup="dialog"
          onClick={() => onOpen(newest_id)}
        >
          {message === "" ? t("errors.noMessage") : message}
        </UnstyledButton>
        {channels.length > 0 && (
          <ul className={classes.channels} aria-label={t("errors.channels")}>
            {channels.map(({ id, name, entries: ofChannel }) => (
              <li key={id}>
                <TextLink to="/channel/edit/$id" params={{ id }} inherit>
                  {name === "" ? t("attempts.channel", { id }) : name}
                </TextLink>{" "}
                <span className="numbers">{formatInteger(ofChannel, language)}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}

interface LogErrorsListProps {
  filters: LogFilters;
  onOpen(id: number): void;
}

/** Failed requests grouped by the provider's message; numbers and ids in messages make no difference. */
export default function LogErrorsList({ filters, onOpen }: LogErrorsListProps) {
  const { t, language } = useTranslation("logs");
  const { data, error, isPending, refetch } = useLogErrors(filters);
  if (isPending) return <Skeleton height={240} />;
  if (data === undefined) return <ListError error={error} onRetry={() => void refetch()} />;
  if (data.groups.length === 0) return <EmptyState title={t("errors.none")} text={t("errors.noneText")} />;
  const { groups, read, total } = data;
  const number = (value: number) => formatInteger(value, language);
  return (
    <section aria-label={t("errors.title")}>
      <p className={classes.note}>
        {total > read ? t("errors.newest", { read: number(read), total: number(total) }) : t("errors.hint")}
      </p>
      <ol className={classes.groups}>
        {groups.map((group) => (
          <ErrorGroupRow key={group.newest_id} group={group} onOpen={onOpen} />
        ))}
      </ol>
    </section>
  );
}
