import { QuotaText } from "../../../components/quota-text.tsx";
import { TextLink } from "../../../components/text-link.tsx";
import { formatInteger, formatSeconds } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Answer } from "../chat/conversation.ts";
import classes from "./answer-facts.module.css";
import { useAnswerFacts } from "./use-answer-facts.ts";

/** Cost and speed of an answer: from the log, else as measured here. */
export function AnswerFacts({ answer }: { answer: Answer }) {
  const { t, language } = useTranslation("playground");
  const { logId, quota, promptTokens, completionTokens, firstMs, totalMs } = useAnswerFacts(answer);
  const amount = (value: number) => formatInteger(value, language);
  return (
    <>
      <div className={classes.facts}>
        {quota !== undefined && (
          <TextLink to="/log" search={{ open: logId }} title={t("facts.log")}>
            <QuotaText quota={quota} />
          </TextLink>
        )}
        {promptTokens + completionTokens > 0 && (
          <span>{t("facts.tokens", { prompt: amount(promptTokens), completion: amount(completionTokens) })}</span>
        )}
        {firstMs > 0 && <span>{t("facts.first", { time: formatSeconds(firstMs) })}</span>}
        {totalMs > 0 && <span>{t("facts.total", { time: formatSeconds(totalMs) })}</span>}
        {answer.state === "stopped" && <span>{t("facts.stopped")}</span>}
        {answer.finish === "length" && <span className={classes.warning}>{t("facts.length")}</span>}
        {answer.finish === "content_filter" && <span className={classes.warning}>{t("facts.filtered")}</span>}
      </div>
      {answer.dropped.length > 0 && (
        <p className={classes.note}>{t("facts.dropped", { names: answer.dropped.join(", ") })}</p>
      )}
    </>
  );
}
