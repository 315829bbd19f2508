import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatPercent } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { EmptyState } from "../../../components/data-table/empty-state.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../../components/loading-placeholder.tsx";
import { channelSharesQuery, type ShareQuestion } from "../channel-queries.ts";
import classes from "./shares.module.css";

interface ShareListProps {
  question: ShareQuestion;
  channelId: number;
  unnamed?: ReactNode;
}

export function ShareList({ question, channelId, unnamed }: ShareListProps) {
  const { t, language } = useTranslation("channel-shares", "channels");
  const shares = useQuery(channelSharesQuery(question));
  if (shares.error !== null) return <ListError error={shares.error} onRetry={() => void shares.refetch()} />;
  if (shares.data === undefined) return <LoadingPlaceholder prompt={t("channels:shares.title")} />;
  if (shares.data.length === 0) return <EmptyState title={t("none")} />;
  return (
    <ul className={classes.shares} aria-label={t("channels:shares.title")}>
      {shares.data.map(({ channel, name, priority, weight, share, code, reason, awake_in }) => (
        <li key={channel} className={classes.share} data-own={channel === channelId}>
          <span className={classes.name}>{name || unnamed}</span>
          <span className={classes.percent}>{formatPercent(share, language, 1)}</span>
          <span className={classes.track} aria-hidden="true">
            <span className={classes.bar} style={{ width: `${share * 100}%` }} />
          </span>
          <span className={classes.facts}>
            {t("facts", { priority, weight })}
            {reason !== "" && ` · ${code === "" ? reason : t(`reasons.${code}`, { seconds: awake_in })}`}
          </span>
        </li>
      ))}
    </ul>
  );
}
