import { Alert } from "@mantine/core";
import type { FailureKind } from "@one-api/contract/logs/log-end";
import type { Channel, ChannelLastTest } from "@one-api/contract/channels/channel";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Facts } from "../../components/boxes/facts.tsx";
import { TimeText } from "../../components/time-text.tsx";
import { formatSeconds } from "../../lib/format.ts";
import classes from "./last-test.module.css";

/** Kinds of failure that have a text of their own; the others share one. */
const FAILURES = [
  "rate-limited",
  "overloaded",
  "bad-credential",
  "out-of-credit",
  "unknown-model",
  "bad-request",
  "server-error",
  "connection",
  "tls",
  "timeout",
  "bad-answer",
  "broken-stream",
  "too-large",
] as const satisfies readonly FailureKind[];

/** Returns functions for a failed test: a short name, and advice. */
export function useFailureTexts(): (test: Pick<ChannelLastTest, "failure" | "status">) => {
  name: string;
  advice: string;
} {
  const { t } = useTranslation("channels");
  return ({ failure, status }) => {
    const kind = FAILURES.find((known) => known === failure) ?? "other";
    const name = t(`test.failures.${kind}`);
    return { name: status > 0 ? `${status} · ${name}` : name, advice: t(`test.advice.${kind}`) };
  };
}

export function LastTestFacts({ channel, test }: { channel: Channel; test: ChannelLastTest }) {
  const { t } = useTranslation("channels");
  const failure = useFailureTexts()(test);
  const hasFailed = test.failure !== "";
  return (
    <Facts
      layout="lines"
      facts={[
        { label: t("test.facts.when"), value: <TimeText time={channel.test_time} /> },
        { label: t("test.facts.model"), value: test.model },
        { label: t("test.facts.result"), value: hasFailed ? failure.name : formatSeconds(channel.response_time) },
        test.address !== "" && {
          label: t("test.facts.address"),
          value: <span className={classes.address}>{test.address}</span>,
        },
        hasFailed && test.message !== "" && { label: t("test.facts.message"), value: test.message },
      ]}
    />
  );
}

/** Above the form of a channel whose last test failed: why, and what to do. Takes the focus when a new test fails. */
export function FailedTestNotice({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const texts = useFailureTexts();
  const element = useRef<HTMLDivElement>(null);
  const seen = useRef(channel.test_time);
  const { test_time: testedAt, last_test: test } = channel;
  useEffect(() => {
    if (seen.current !== testedAt) element.current?.focus();
    seen.current = testedAt;
  }, [testedAt]);
  if (test === undefined || test.failure === "") return null;
  return (
    <Alert
      ref={element}
      tabIndex={-1}
      color="danger"
      icon={<IconAlertTriangle size={18} />}
      title={t("test.lastFailed")}
      className={classes.notice ?? ""}
    >
      <p className={classes.advice}>{texts(test).advice}</p>
      <LastTestFacts channel={channel} test={test} />
    </Alert>
  );
}
