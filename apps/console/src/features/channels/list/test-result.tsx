import { UnstyledButton } from "@mantine/core";
import type { Channel } from "@one-api/contract/channels/channel";
import { PopoverButton } from "../../../components/floating/popover-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { formatDate, formatSeconds, formatTime } from "../../../lib/format.ts";
import { LastTestFacts, useFailureTexts } from "../last-test.tsx";
import classes from "./test-result.module.css";

type ResponseTimeLevel = "untested" | "quick" | "fair" | "slow" | "very-slow";

const QUICK_MS = 1_000;
const FAIR_MS = 3_000;
const SLOW_MS = 5_000;

/** Judges a response time in ms; 0 is untested. */
export function responseTimeLevel(responseTimeMs: number): ResponseTimeLevel {
  if (responseTimeMs <= 0) return "untested";
  if (responseTimeMs <= QUICK_MS) return "quick";
  if (responseTimeMs <= FAIR_MS) return "fair";
  return responseTimeMs <= SLOW_MS ? "slow" : "very-slow";
}

function useBadge({ response_time: responseTimeMs, last_test: test }: Channel) {
  const { t } = useTranslation("channels");
  const failureOf = useFailureTexts();
  if (test !== undefined && test.failure !== "") return { level: "failed" as const, text: failureOf(test).name };
  const level = responseTimeLevel(responseTimeMs);
  return { level, text: level === "untested" ? t("speed.untested") : formatSeconds(responseTimeMs) };
}

/** When a test was, as short as it is clear: the clock today, the date before. */
function whenTested(unixSeconds: number): string {
  const today = formatDate(Date.now() / 1_000);
  return formatDate(unixSeconds) === today ? formatTime(unixSeconds).slice(11, 16) : formatDate(unixSeconds);
}

export function TestResult({ channel }: { channel: Channel }) {
  const { t } = useTranslation("channels");
  const { level, text } = useBadge(channel);
  const { last_test: test, test_time: testedAt } = channel;
  const badge = (
    <>
      <span className={classes.dot} aria-hidden="true" />
      <span className={classes.text}>{text}</span>
      {testedAt > 0 && <span className={classes.when}>{whenTested(testedAt)}</span>}
    </>
  );
  if (test === undefined) {
    return (
      <span className={classes.badge} data-level={level} title={level === "failed" ? undefined : t(`speed.${level}`)}>
        {badge}
      </span>
    );
  }
  return (
    <PopoverButton
      width={340}
      position="bottom-end"
      label={t("test.of", { name: channel.name })}
      renderButton={(props) => (
        <UnstyledButton className={classes.badge ?? ""} data-level={level} data-opens {...props}>
          {badge}
          <span className="visually-hidden">{t("test.of", { name: channel.name })}</span>
        </UnstyledButton>
      )}
    >
      {() => <LastTestFacts channel={channel} test={test} />}
    </PopoverButton>
  );
}
