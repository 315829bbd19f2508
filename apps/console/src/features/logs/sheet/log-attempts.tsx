import type { LogChoice, LogDetail } from "@one-api/contract/logs/log-detail";
import { SheetSection } from "../../../components/dialogs/sheet-section.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { formatSeconds } from "../../../lib/format.ts";
import { ChannelLink, type ChannelNames } from "../log-links.tsx";
import { splitFailure } from "../log-outcome.tsx";
import classes from "./log-attempts.module.css";
import sheetClasses from "./log-sheet.module.css";

type Attempt = LogDetail["attempts"][number];

/** Why this channel was tried, and why the others were not. */
function Choice({ choice: { by, share, passed, more }, names }: { choice: LogChoice; names: ChannelNames }) {
  const { t } = useTranslation("logs");
  return (
    <div className={classes.choice}>
      <p>
        {t(`choice.by.${by}`)}
        {share > 0 && ` ${t("choice.share", { share })}`}
      </p>
      {passed.length > 0 && (
        <details>
          <summary>{t("choice.passed")}</summary>
          <ul>
            {passed.map(({ channel, reason, amount }) => (
              <li key={channel}>
                <ChannelLink id={channel} names={names} />: {t(`choice.reasons.${reason}`, { amount })}
              </li>
            ))}
            {more > 0 && <li>{t("choice.more", { count: more })}</li>}
          </ul>
        </details>
      )}
    </div>
  );
}

interface AttemptRowProps {
  attempt: Attempt;
  names: ChannelNames;
  /** From 1. */
  number: number;
  beganMs: number;
  totalMs: number;
}

function AttemptRow({ attempt, names, number, beganMs, totalMs }: AttemptRowProps) {
  const { t } = useTranslation("logs");
  const { kind, message } = splitFailure(attempt.failure);
  const hasServed = attempt.failure === "";
  const share = (ms: number) => `${Math.min(100, (ms / totalMs) * 100)}%`;
  const endedMs = beganMs + attempt.duration_ms;
  return (
    <li className={classes.attempt}>
      <div className={classes.head}>
        <span className={classes.name}>
          {attempt.channel === 0 ? (
            t("attempts.attempt", { number })
          ) : (
            <ChannelLink id={attempt.channel} names={names} />
          )}
        </span>
        <StatusBadge tone={hasServed ? "good" : "danger"}>
          {attempt.status === 0 ? t("attempts.noAnswer") : t("attempts.status", { status: attempt.status })}
        </StatusBadge>
        <span className={classes.duration}>{formatSeconds(attempt.duration_ms)}</span>
      </div>
      <div className={classes.track} aria-hidden="true">
        <span
          className={classes.bar}
          data-served={hasServed}
          style={{ left: share(beganMs), width: share(attempt.duration_ms) }}
        />
        {hasServed && totalMs > endedMs && (
          <span
            className={classes.answer}
            title={t("attempts.answer")}
            style={{ left: share(endedMs), width: share(totalMs - endedMs) }}
          />
        )}
      </div>
      <p className={classes.outcome} data-served={hasServed}>
        {hasServed && t("attempts.served")}
        {kind !== undefined && <strong>{t(`end.${kind}`)}</strong>}
        {kind !== undefined && message !== "" && " · "}
        {message}
      </p>
      {attempt.choice !== undefined && <Choice choice={attempt.choice} names={names} />}
    </li>
  );
}

interface LogAttemptsProps {
  detail: LogDetail;
  names: ChannelNames;
  totalMs: number;
}

/** Every attempt at a channel, one after the other on the request's time; the light end of a bar is the delivery of the answer. */
export function LogAttempts({ detail: { attempts }, names, totalMs }: LogAttemptsProps) {
  const { t } = useTranslation("logs");
  const tried = attempts.reduce((sum, attempt) => sum + attempt.duration_ms, 0);
  const wholeMs = Math.max(totalMs, tried, 1);
  const steps = attempts.map((attempt, index) => ({
    attempt,
    number: index + 1,
    beganMs: attempts.slice(0, index).reduce((sum, earlier) => sum + earlier.duration_ms, 0),
  }));
  return (
    <SheetSection title={t("attempts.title")}>
      {attempts.length === 0 && <p className={sheetClasses.note}>{t("attempts.none")}</p>}
      <ol className={classes.attempts}>
        {steps.map((step) => (
          <AttemptRow key={step.number} {...step} names={names} totalMs={wholeMs} />
        ))}
      </ol>
    </SheetSection>
  );
}
