import { Skeleton, UnstyledButton } from "@mantine/core";
import type { LogErrors } from "@one-api/contract/logs/log-totals";
import { NoLines } from "../../../components/boxes/line-list.tsx";
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

function ErrorGroupRow({ group, isBrief, onOpen }: { group: ErrorGroup; isBrief: boolean; onOpen(id: number): void }) {
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
        {!isBrief && channels.length > 0 && (
          <ul className={classes.channels} aria-label={t("errors.channels")}>
            {channels.map(({ id, name, entries: ofChannel }) => (
              <li key={id}>
                <TextLink to="/channel/$id" params={{ id }} inherit>
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
  /** The most frequent ones, without the channels: the filters name one. */
  isBrief?: boolean;
  onOpen(id: number): void;
}

const BRIEF_GROUPS = 5;

/** Failed requests grouped by the provider's message; numbers and ids in messages make no difference. */
export default function LogErrorsList({ filters, isBrief = false, onOpen }: LogErrorsListProps) {
  const { t, language } = useTranslation("logs");
  const { data, error, isPending, refetch } = useLogErrors(filters);
  if (isPending) return <Skeleton height={isBrief ? 120 : 240} />;
  if (data === undefined) return <ListError error={error} onRetry={() => void refetch()} />;
  if (data.groups.length === 0 && isBrief) return <NoLines>{t("errors.none")}</NoLines>;
  if (data.groups.length === 0) return <EmptyState title={t("errors.none")} text={t("errors.noneText")} />;
  const { groups, read, total } = data;
  const number = (value: number) => formatInteger(value, language);
  return (
    <section aria-label={t("errors.title")}>
      <p className={classes.note}>
        {total > read ? t("errors.newest", { read: number(read), total: number(total) }) : t("errors.hint")}
      </p>
      <ol className={classes.groups}>
        {groups.slice(0, isBrief ? BRIEF_GROUPS : groups.length).map((group) => (
          <ErrorGroupRow key={group.newest_id} group={group} isBrief={isBrief} onOpen={onOpen} />
        ))}
      </ol>
    </section>
  );
}
