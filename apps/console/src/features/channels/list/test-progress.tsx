import { Button, CloseButton, Progress, UnstyledButton } from "@mantine/core";
import type { ChannelTestProgress } from "@one-api/contract/channels/channel-tests";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { ScrollBox } from "../../../components/boxes/scroll-box.tsx";
import { PopoverButton } from "../../../components/floating/popover-button.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { CHANNEL_LIST_KEY, testProgressQuery } from "../channel-queries.ts";
import { useStopChannelTests } from "../channel-mutations.ts";
import { useFailureTexts } from "../last-test.tsx";
import classes from "./test-progress.module.css";

function useFreshRows(doneCount: number | undefined): void {
  const client = useQueryClient();
  const seen = useRef(doneCount);
  useEffect(() => {
    if (seen.current !== undefined && doneCount !== undefined && seen.current !== doneCount)
      void client.invalidateQueries({ queryKey: CHANNEL_LIST_KEY });
    seen.current = doneCount;
  }, [client, doneCount]);
}

function FailedTests({ progress: { failed, failures } }: { progress: ChannelTestProgress }) {
  const { t } = useTranslation("channels");
  const textsOf = useFailureTexts();
  const label = t("test.progress.failed", { count: failed });
  if (failures.length === 0) return <span className={classes.failed}>{label}</span>;
  return (
    <PopoverButton
      width={340}
      position="bottom-start"
      label={label}
      renderButton={(props) => (
        <UnstyledButton className={classes.failed ?? ""} data-opens {...props}>
          {label}
        </UnstyledButton>
      )}
    >
      {() => (
        <ScrollBox label={label} className={classes.window}>
          <ul className={classes.failures}>
            {failures.map(({ id, name, failure, message }) => (
              <li key={id}>
                <TextLink to="/channel/$id" params={{ id }}>
                  {name || id}
                </TextLink>{" "}
                {textsOf({ failure, status: 0 }).name}
                {message !== "" && <span className={classes.said}>{message}</span>}
              </li>
            ))}
            {failed > failures.length && <li>{t("deleteDisabled.more", { count: failed - failures.length })}</li>}
          </ul>
        </ScrollBox>
      )}
    </PopoverButton>
  );
}

const NONE = -1;

export default function TestProgress() {
  const { t } = useTranslation("channels", "common");
  const { data: progress } = useQuery(testProgressQuery);
  const stop = useStopChannelTests();
  // Null until the start of the last run is known.
  const [told, setTold] = useState<number | null>(null);
  useFreshRows(progress === undefined ? undefined : progress.done + (progress.running ? 0 : 1));
  // Only a run that is running, or began while the page was open, has a result worth showing.
  if (progress !== undefined && told === null) setTold(progress.running ? NONE : progress.started_at);
  if (progress === undefined || told === null || told === progress.started_at) return null;
  const { running, total, done, failed } = progress;
  const state = running ? "running" : done < total ? "stopped" : "ended";
  return (
    <section className={classes.progress} aria-label={t("test.progress.label")}>
      <span className={classes.text} role="status">
        {t(`test.progress.${state}`, { done, total })}
      </span>
      {failed > 0 && <FailedTests progress={progress} />}
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
        <CloseButton aria-label={t("common:close")} onClick={() => setTold(progress.started_at)} />
      )}
    </section>
  );
}
