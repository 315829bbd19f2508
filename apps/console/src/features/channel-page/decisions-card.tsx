import { Button } from "@mantine/core";
import type { ChannelDecision } from "@one-api/contract/channels/channel-decision";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../components/boxes/card.tsx";
import { ListError } from "../../components/data-table/list-error.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useReasonWords } from "../channels/reason-words.ts";
import classes from "./decisions-card.module.css";
import { DECISIONS_SHOWN, decisionsQuery, useUndoDecision } from "./page-queries.ts";

const TONES = {
  disabled: "danger",
  enabled: "good",
  restocked: "info",
  slept: "warning",
  "model-slept": "warning",
  rested: "warning",
} as const;

interface DecisionProps {
  decision: ChannelDecision;
  isBusy: boolean;
  onUndo(): void;
}

function Decision({ decision, isBusy, onUndo }: DecisionProps) {
  const { t } = useTranslation("channel-page");
  const { sentence, quote } = useReasonWords()(decision);
  const { kind, model, first_at: firstAt, last_at: lastAt, times, until, undo } = decision;
  return (
    <li className={classes.decision}>
      <div className={classes.head}>
        <StatusBadge tone={TONES[kind]}>{t(`decisions.kinds.${kind}`, { model })}</StatusBadge>
        <span className={classes.when}>
          <TimeText time={lastAt} />
        </span>
      </div>
      <p className={classes.why}>{sentence}</p>
      {quote !== "" && (
        <p className={classes.said} lang="en">
          {quote}
        </p>
      )}
      <p className={classes.said}>
        {times > 1 && (
          <>
            {t("decisions.times", { count: times })} <TimeText time={firstAt} />
            {". "}
          </>
        )}
        {until > 0 && (
          <>
            {t("decisions.until")} <TimeText time={until} />
            {". "}
          </>
        )}
        {decision.undone_at > 0 && (
          <>
            {t("decisions.undone")} <TimeText time={decision.undone_at} />.
          </>
        )}
      </p>
      {undo !== "" && (
        <Button className={classes.undo ?? ""} variant="default" size="compact-sm" loading={isBusy} onClick={onUndo}>
          {t(`decisions.undo.${undo}`)}
        </Button>
      )}
    </li>
  );
}

export function DecisionsCard({ channelId }: { channelId: number }) {
  const { t } = useTranslation("channel-page");
  const [page, setPage] = useState(0);
  const { data, error, refetch } = useQuery(decisionsQuery(channelId, page));
  const undo = useUndoDecision(channelId);
  const pages = Math.ceil((data?.total ?? 0) / DECISIONS_SHOWN);
  return (
    <Card title={t("decisions.title")} description={t("decisions.hint")}>
      {data === undefined && error === null && <LoadingPlaceholder prompt={t("decisions.title")} />}
      {data === undefined && error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {data?.rows.length === 0 && <p className={classes.said}>{t("decisions.none")}</p>}
      <ol className={classes.decisions} aria-label={t("decisions.title")}>
        {data?.rows.map((decision) => (
          <Decision
            key={decision.id}
            decision={decision}
            isBusy={undo.isPending && undo.variables === decision.id}
            onUndo={() => undo.mutate(decision.id, { onSuccess: () => toastSuccess(t("decisions.takenBack")) })}
          />
        ))}
      </ol>
      {pages > 1 && (
        <div className={classes.pages}>
          <Button variant="default" size="compact-sm" disabled={page === 0} onClick={() => setPage(page - 1)}>
            {t("decisions.newer")}
          </Button>
          <Button variant="default" size="compact-sm" disabled={page >= pages - 1} onClick={() => setPage(page + 1)}>
            {t("decisions.older")}
          </Button>
        </div>
      )}
    </Card>
  );
}
