import { Text, TextInput } from "@mantine/core";
import { MAIL_COUNTDOWN_SECONDS } from "@one-api/contract/accounts/user-constants";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CountdownButton } from "../../components/buttons/countdown-button.tsx";
import type { ApiError } from "../../lib/api/api-error.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useCountdown } from "../../lib/use-countdown.ts";
import { checkEntry } from "../../lib/check-entry.ts";
import classes from "./email-code-fields.module.css";

interface EmailCodeFieldsProps {
  email: string;
  code: string;
  onEmail(email: string): void;
  onCode(code: string): void;
  /** Returns the answer of the human check; empty if it is off, undefined if it is missing. */
  takeHumanAnswer(): string | undefined;
}

/** Has a code sent to the address, once within the countdown. */
function useSendCode(email: string, takeHumanAnswer: EmailCodeFieldsProps["takeHumanAnswer"]) {
  const { t } = useTranslation("registration");
  const [left, startCountdown] = useCountdown(MAIL_COUNTDOWN_SECONDS);
  const send = useMutation({
    mutationFn: (query: { email: string; turnstile: string }) => callApi("GET /api/verification", { query }),
    meta: { shownInPlace: true },
    onSuccess: () => {
      toastSuccess(t("codeSent"));
      startCountdown();
    },
  });
  const [refusal, setRefusal] = useState<ApiError>();
  const ask = async () => {
    const found = await checkEntry("email", { email });
    setRefusal(found);
    if (found !== undefined) return;
    const turnstile = takeHumanAnswer();
    if (turnstile !== undefined) send.mutate({ email: email.trim(), turnstile });
  };
  return { isSending: send.isPending, error: refusal ?? send.error, left, ask };
}

export function EmailCodeFields({ email, code, onEmail, onCode, takeHumanAnswer }: EmailCodeFieldsProps) {
  const { t } = useTranslation("registration");
  const { isSending, error, left, ask } = useSendCode(email, takeHumanAnswer);
  const problem = useErrorText(error);
  return (
    <>
      <div className={classes.row}>
        <TextInput
          className={classes.address ?? ""}
          label={t("email")}
          type="email"
          autoComplete="email"
          value={email}
          error={error !== null}
          onChange={(event) => onEmail(event.currentTarget.value)}
        />
        <CountdownButton
          className={classes.button ?? ""}
          variant="default"
          left={left}
          loading={isSending}
          onClick={() => void ask()}
        >
          {t("getCode")}
        </CountdownButton>
      </div>
      {error !== null && (
        <Text size="sm" c="danger" role="alert">
          {problem}
        </Text>
      )}
      <TextInput
        label={t("code")}
        autoComplete="one-time-code"
        inputMode="numeric"
        value={code}
        onChange={(event) => onCode(event.currentTarget.value)}
      />
    </>
  );
}
