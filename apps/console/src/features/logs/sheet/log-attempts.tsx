import type { Log } from "@one-api/contract/logs/log";
import type { LogChoice, LogDetail } from "@one-api/contract/logs/log-detail";
import { SheetSection } from "../../../components/dialogs/sheet-section.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { formatNumber, formatSeconds, roundToDigits } from "../../../lib/format.ts";
import { ChannelLink, type ChannelNames } from "../log-links.tsx";
import { splitFailure } from "../log-outcome.tsx";
import { type AttemptTimes, type PhaseKind, ticksOf, timelineOf } from "./attempt-times.ts";
import classes from "./log-attempts.module.css";
import sheetClasses from "./log-sheet.module.css";
import { speedOf } from "./speed-of.ts";

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

/** For example: "First token 0.62 s, then 216 tokens/s". */
function Served({ log, detail, times }: { log: Log; detail: LogDetail; times: AttemptTimes }) {
  const { t, language } = useTranslation("logs");
  const first = times.phases.find(({ kind }) => kind === "first");
  const speed = speedOf(log, detail);
  if (first === undefined || !log.is_stream) return t("attempts.served");
  const time = formatSeconds(first.toMs - first.fromMs);
  return speed === undefined
    ? t("attempts.firstToken", { time })
    : t("attempts.firstTokenThen", { time, speed: formatNumber(speed, language, 1) });
}

interface AttemptRowProps {
  log: Log;
  detail: LogDetail;
  times: AttemptTimes;
  names: ChannelNames;
  totalMs: number;
}

function AttemptRow({ log, detail, times, names, totalMs }: AttemptRowProps) {
  const { t } = useTranslation("logs");
  const { number, attempt, durationMs, phases } = times;
  const { kind, message } = splitFailure(attempt.failure);
  const hasServed = attempt.failure === "";
  const part = (ms: number) => `${(100 * ms) / totalMs}%`;
  return (
    <li>
      <div className={classes.head}>
        <span className={classes.name}>
          {attempt.channel === 0 ? (
            t("attempts.attempt", { number })
          ) : (
            <ChannelLink id={attempt.channel} names={names} />
          )}
          {attempt.model !== undefined && ` · ${attempt.model}`}
          {attempt.key_end !== undefined && ` ${t("attempts.key", { key: attempt.key_end })}`}
        </span>
        <StatusBadge tone={hasServed ? "good" : "danger"}>
          {attempt.status === 0 ? t("attempts.noAnswer") : t("attempts.status", { status: attempt.status })}
        </StatusBadge>
        <span className={classes.duration}>{formatSeconds(durationMs)}</span>
      </div>
      <div className={classes.track} aria-hidden="true">
        {phases.map((phase) => (
          <span
            key={phase.kind}
            className={classes.bar}
            data-phase={phase.kind}
            style={{ left: part(phase.fromMs), width: part(phase.toMs - phase.fromMs) }}
          />
        ))}
      </div>
      <p className={classes.outcome} data-served={hasServed}>
        {hasServed && <Served log={log} detail={detail} times={times} />}
        {kind !== undefined && <strong>{t(`end.${kind}`)}</strong>}
        {kind !== undefined && message !== "" && " · "}
        {message !== "" && <q>{message}</q>}
      </p>
      {attempt.choice !== undefined && <Choice choice={attempt.choice} names={names} />}
    </li>
  );
}

const PHASES: readonly PhaseKind[] = ["wait", "first", "response", "failed"];

function Legend({ attempts, isStream }: { attempts: readonly AttemptTimes[]; isStream: boolean }) {
  const { t } = useTranslation("logs");
  const occurring = new Set(attempts.flatMap(({ phases }) => phases.map(({ kind }) => kind)));
  return (
    <div className={classes.legend} aria-hidden="true">
      {PHASES.filter((kind) => occurring.has(kind)).map((kind) => (
        <span key={kind}>
          <span className={classes.swatch} data-phase={kind} />
          {t(kind === "response" && isStream ? "attempts.phases.stream" : `attempts.phases.${kind}`)}
        </span>
      ))}
    </div>
  );
}

interface LogAttemptsProps {
  log: Log;
  detail: LogDetail;
  names: ChannelNames;
}

/** From this part of the line on, the text of a tick stands left of it. */
const LAST_PART = 0.95;

export function LogAttempts({ log, detail, names }: LogAttemptsProps) {
  const { t } = useTranslation("logs");
  const { attempts, totalMs } = timelineOf(detail, log.elapsed_time);
  return (
    <SheetSection title={t("attempts.title")}>
      {attempts.length === 0 ? (
        <p className={sheetClasses.note}>{t("attempts.none")}</p>
      ) : (
        <>
          <Legend attempts={attempts} isStream={log.is_stream} />
          <ol className={classes.attempts}>
            {attempts.map((times) => (
              <AttemptRow key={times.number} log={log} detail={detail} times={times} names={names} totalMs={totalMs} />
            ))}
          </ol>
          <div className={classes.axis} aria-hidden="true">
            {ticksOf(totalMs).map((tick) => (
              <span
                key={tick}
                data-end={tick > LAST_PART * totalMs}
                style={{ left: `${Math.min(100, (100 * tick) / totalMs)}%` }}
              >
                {tickText(tick)}
              </span>
            ))}
          </div>
        </>
      )}
    </SheetSection>
  );
}

/** "0 s", "0.5 s", "2 s". */
function tickText(ms: number): string {
  return `${roundToDigits(ms / 1_000, 3)} s`;
}
