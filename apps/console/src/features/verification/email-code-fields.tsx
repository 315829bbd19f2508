import { Text, TextInput } from "@mantine/core";
import { MAIL_COUNTDOWN_SECONDS } from "@one-api/contract/accounts/user-constants";
import { useMutation } from "@tanstack/react-query";
import { CountdownButton } from "../../components/buttons/countdown-button.tsx";
import { callApi } from "../../lib/api/api-client.ts";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useCountdown } from "../../lib/use-countdown.ts";
import classes from "./email-code-fields.module.css";

interface EmailCodeFieldsProps {
  email: string;
  code: string;
  onEmail(email: string): void;
  onCode(code: string): void;
  /** Hands over the human check's answer, "" where none is asked for; undefined while it is still to come. */
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
  const ask = () => {
    const address = email.trim();
    if (address === "") return;
    const turnstile = takeHumanAnswer();
    if (turnstile !== undefined) send.mutate({ email: address, turnstile });
  };
  return { send, left, ask };
}

/** An address, a button that has a code sent there, and the code. */
export function EmailCodeFields({ email, code, onEmail, onCode, takeHumanAnswer }: EmailCodeFieldsProps) {
  const { t } = useTranslation("registration");
  const { send, left, ask } = useSendCode(email, takeHumanAnswer);
  const problem = useErrorText(send.error);
  return (
    <>
      <div className={classes.row}>
        <TextInput
          className={classes.address ?? ""}
          label={t("email")}
          type="email"
          autoComplete="email"
          value={email}
          error={send.isError}
          onChange={(event) => onEmail(event.currentTarget.value)}
        />
        <CountdownButton
          className={classes.button ?? ""}
          variant="default"
          left={left}
          loading={send.isPending}
          onClick={ask}
        >
          {t("getCode")}
        </CountdownButton>
      </div>
      {send.isError && (
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
