import type { Log } from "@one-api/contract/logs/log";
import { useQuery } from "@tanstack/react-query";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { Card } from "../../../components/boxes/card.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { LogResultBadge, readLogDetail } from "../../logs/log-outcome.tsx";
import { useRefusalWords } from "../../logs/refusals/refusal-words.ts";
import { type Advice, adviceFor } from "../../playground/turns/failure-advice.ts";
import { lastErrorQuery } from "./summary-queries.ts";
import classes from "./summary.module.css";

function adviceOf(log: Log): Advice | undefined {
  const { refusal, refusal_values: values } = readLogDetail(log) ?? {};
  return adviceFor({ code: refusal, status: log.status_code, values });
}

function useAdvice(): (log: Log) => string {
  const { t } = useTranslation("home", "playground");
  return (log) => {
    const advice = adviceOf(log);
    if (advice !== undefined) return t(`playground:failure.${advice}`);
    if (log.result === "caller-gone") return t("lastError.client");
    return t(log.result === "refused" || log.result === "over-budget" ? "lastError.request" : "lastError.provider");
  };
}

const NOT_OF_TOKEN: ReadonlySet<Advice> = new Set(["wait", "shorten", "reword", "groupBudget"]);

/** Link to the fix: the token, or the balance. */
function Remedy({ log }: { log: Log }) {
  const { t } = useTranslation("playground");
  const advice = adviceOf(log);
  const isOfToken = advice !== undefined && !NOT_OF_TOKEN.has(advice);
  return (
    <div className={classes.ways}>
      {advice === "quota" && (
        <ButtonLink size="compact-sm" variant="default" to="/topup">
          {t("failure.topUp")}
        </ButtonLink>
      )}
      {isOfToken && log.token_id !== 0 && (
        <ButtonLink size="compact-sm" variant="default" to="/token/edit/$id" params={{ id: log.token_id }}>
          {t("failure.editToken")}
        </ButtonLink>
      )}
    </div>
  );
}

export function LastError() {
  const { t } = useTranslation("home");
  const words = useRefusalWords();
  const advice = useAdvice();
  const { data: log } = useQuery(lastErrorQuery);
  if (log === undefined || log === null) return null;
  const sentence = words(log, readLogDetail(log))?.sentence;
  return (
    <Card
      title={t("lastError.title")}
      actions={
        <TextLink to="/log" search={{ open: log.id }} size="sm">
          {t("lastError.details")}
        </TextLink>
      }
    >
      <div className={classes.error}>
        <p className={classes.facts}>
          <LogResultBadge log={log} />
          <RelativeTime time={log.created_at} />
          <span>{[log.model_name, log.token_name].filter((name) => name !== "").join(" · ")}</span>
        </p>
        {sentence !== undefined && <p>{sentence}</p>}
        <p>{advice(log)}</p>
        <Remedy log={log} />
      </div>
    </Card>
  );
}
