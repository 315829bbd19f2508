import { Alert, Button, Group } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { ButtonLink } from "../../../components/buttons/button-link.tsx";
import { formatTime } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";
import type { Answer, AnswerFailure } from "../chat/conversation.ts";
import { type Advice, adviceFor } from "./failure-advice.ts";
import { useRequestEntry } from "../playground-queries.ts";
import { usePlaygroundSearch } from "../use-playground.ts";

/** Links to the fix: the token, or the top-up page. */
function Mend({ advice }: { advice: Advice | undefined }) {
  const { t } = useTranslation("playground");
  const { token } = usePlaygroundSearch().search;
  const isOfToken = advice === "quota" || advice === "budget" || advice === "token" || advice === "network";
  return (
    <>
      {isOfToken && token !== undefined && (
        <ButtonLink size="compact-sm" variant="default" to="/token/edit/$id" params={{ id: token }}>
          {t("failure.editToken")}
        </ButtonLink>
      )}
      {advice === "quota" && (
        <ButtonLink size="compact-sm" variant="default" to="/topup">
          {t("failure.topUp")}
        </ButtonLink>
      )}
    </>
  );
}

/** Leads to the log entry, which has the provider's own message. */
function EntryLink({ requestId }: { requestId: string }) {
  const { t } = useTranslation("playground");
  const { data: entry } = useRequestEntry(requestId, true);
  if (entry === undefined || entry === null) return null;
  return (
    <ButtonLink size="compact-sm" variant="default" to="/log" search={{ open: entry.id }}>
      {t("facts.log")}
    </ButtonLink>
  );
}

interface FailureNoteProps {
  answer: Answer;
  canRetry: boolean;
  onRetry(): void;
}

export function FailureNote({ answer: { failure, requestId, text }, canRetry, onRetry }: FailureNoteProps): ReactNode {
  const { t } = useTranslation("playground", "common");
  const wordsOf = useFailureWords();
  if (failure === undefined) return null;
  const words = wordsOf(failure);
  const advice = adviceFor(failure);
  const hint =
    advice === "wait" && failure.waitSeconds > 0
      ? t("failure.waitSeconds", { count: failure.waitSeconds })
      : advice && t(`failure.${advice}`);
  return (
    <Alert
      color="danger"
      variant="light"
      role="alert"
      icon={<IconAlertTriangle size={18} />}
      title={t(text === "" ? "failure.title" : "failure.titleOfHalf")}
    >
      {words !== "" && <div>{words}</div>}
      {hint !== undefined && <div>{hint}</div>}
      {requestId !== "" && <div className="numbers">{t("failure.request", { id: requestId })}</div>}
      <Group gap="xs" mt="xs">
        {canRetry && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            {t("common:retry")}
          </Button>
        )}
        <Mend advice={advice} />
        <EntryLink requestId={requestId} />
      </Group>
    </Alert>
  );
}

/** Returns the failure in the viewer's language if its amounts are known, else the relay's message. */
function useFailureWords(): (failure: AnswerFailure) => string {
  const { t } = useTranslation("playground");
  const quota = useFormatQuota();
  return ({ code, message, values: { needed, left, whose, amount, renews_at: renewsAt } }) => {
    if (needed === undefined || left === undefined) return message;
    const told = { needed: quota(needed), left: quota(left) };
    if (code === "insufficient_quota") return t("failure.quotaLeft", told);
    if (code !== "budget_exceeded" || amount === undefined || renewsAt === undefined) return message;
    const budget = { ...told, amount: quota(amount), time: formatTime(renewsAt) };
    if (whose === "group") return t("failure.groupBudgetLeft", budget);
    return t(whose === "token" ? "failure.tokenBudget" : "failure.accountBudget", budget);
  };
}
