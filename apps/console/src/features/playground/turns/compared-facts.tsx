import type { ReactNode } from "react";
import { PlainTable } from "../../../components/data-table/plain-table.tsx";
import { QuotaText } from "../../../components/quota-text.tsx";
import { formatInteger, formatSeconds } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Answer, Turn } from "../chat/conversation.ts";
import { turnsOf } from "../chat/playground-store.ts";
import { useAnswerFacts } from "./use-answer-facts.ts";

const completeOf = (turns: readonly Turn[]): Answer | undefined => {
  const last = turns.at(-1);
  return last?.role === "assistant" && (last.state === "done" || last.state === "stopped") ? last : undefined;
};

/** As exact as the table shows a time; undefined for an unknown one. */
const hundredths = (ms: number) => (ms > 0 ? Math.round(ms / 10) : undefined);

/** The lowest known value is bold. */
function Best({ isBest, children }: { isBest: boolean; children: ReactNode }) {
  return isBest ? <strong>{children}</strong> : children;
}

function Table({ answers }: { answers: readonly [Answer, Answer] }) {
  const { t, language } = useTranslation("playground");
  const facts = [useAnswerFacts(answers[0]), useAnswerFacts(answers[1])];
  const isBest = (pick: (fact: (typeof facts)[number]) => number | undefined, index: number) => {
    const [own, other] = [facts[index], facts[1 - index]].map((fact) => (fact === undefined ? undefined : pick(fact)));
    return own !== undefined && other !== undefined && own < other;
  };
  const time = (ms: number) => (ms > 0 ? formatSeconds(ms) : "–");
  return (
    <PlainTable
      label={t("compared.title")}
      columns={[
        { label: t("setup.model") },
        { label: t("compared.cost"), isNumber: true },
        { label: t("compared.first"), isNumber: true },
        { label: t("compared.total"), isNumber: true },
        { label: t("compared.tokens"), isNumber: true, isMinor: true },
      ]}
      rows={answers.map((answer, index) => {
        const { quota, firstMs = 0, totalMs = 0, completionTokens = 0 } = facts[index] ?? {};
        return {
          key: answer.id,
          cells: [
            answer.model,
            <Best key="cost" isBest={isBest((fact) => fact.quota, index)}>
              {quota === undefined ? "–" : <QuotaText quota={quota} />}
            </Best>,
            <Best key="first" isBest={isBest((fact) => hundredths(fact.firstMs), index)}>
              {time(firstMs)}
            </Best>,
            <Best key="total" isBest={isBest((fact) => hundredths(fact.totalMs), index)}>
              {time(totalMs)}
            </Best>,
            formatInteger(completionTokens, language),
          ],
        };
      })}
    />
  );
}

/** Cost and speed of two models' last answers side by side, once both are complete. */
export function ComparedFacts() {
  const [first, second] = [completeOf(turnsOf(0).use()), completeOf(turnsOf(1).use())];
  return first !== undefined && second !== undefined && <Table answers={[first, second]} />;
}
