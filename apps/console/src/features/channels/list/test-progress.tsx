import { Button, CloseButton, Progress } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { CHANNEL_LIST_KEY, testProgressQuery } from "../channel-queries.ts";
import { useStopChannelTests } from "../channel-mutations.ts";
import classes from "./test-progress.module.css";

/** Loads the list again whenever one more channel was tested. */
function useFreshRows(doneCount: number | undefined): void {
  const client = useQueryClient();
  const seen = useRef(doneCount);
  useEffect(() => {
    if (seen.current !== undefined && doneCount !== undefined && seen.current !== doneCount)
      void client.invalidateQueries({ queryKey: CHANNEL_LIST_KEY });
    seen.current = doneCount;
  }, [client, doneCount]);
}

/** How far the test of many channels is, with a button that stops it; at its end what came of it, until that is closed. */
export default function TestProgress() {
  const { t } = useTranslation("channels", "common");
  const { data: progress } = useQuery(testProgressQuery);
  const stop = useStopChannelTests();
  const [watched, setWatched] = useState<number>();
  useFreshRows(progress === undefined ? undefined : progress.done + (progress.running ? 0 : 1));
  // Only a run that was seen running has an end worth telling: the one of yesterday is old news.
  if (progress?.running === true && watched !== progress.started_at) setWatched(progress.started_at);
  if (progress === undefined || watched === undefined || watched !== progress.started_at) return null;
  const { running, total, done, failed } = progress;
  const state = running ? "running" : done < total ? "stopped" : "ended";
  return (
    <section className={classes.progress} aria-label={t("test.progress.label")}>
      <span className={classes.text} role="status">
        {t(`test.progress.${state}`, { done, total })}
        {failed > 0 && <span className={classes.failed}> · {t("test.progress.failed", { count: failed })}</span>}
      </span>
      <Progress
        className={classes.bar ?? ""}
        value={total === 0 ? 100 : (done / total) * 100}
        size={4}
        aria-label={t("test.progress.label")}
      />
      {running ? (
        <Button variant="default" size="compact-sm" loading={stop.isPending} onClick={() => stop.mutate()}>
          {t("test.progress.stop")}
        </Button>
      ) : (
        <CloseButton aria-label={t("common:close")} onClick={() => setWatched(undefined)} />
      )}
    </section>
  );
}
