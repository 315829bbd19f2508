import { Alert, Stack, TextInput } from "@mantine/core";
import { MAIL_COUNTDOWN_SECONDS } from "@one-api/contract/accounts/user-constants";
import { useMutation } from "@tanstack/react-query";
import { type SyntheticEvent, useState } from "react";
import { CountdownButton } from "../../components/buttons/countdown-button.tsx";
import { TextLink } from "../../components/text-link.tsx";
import type { ApiError } from "../../lib/api/api-error.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { useErrorText } from "../../lib/api/error-text.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useCountdown } from "../../lib/use-countdown.ts";
import { checkEntry, loadEntryRules } from "../../lib/check-entry.ts";
import { EntryPage } from "../login/entry-page.tsx";
import { useHumanCheck } from "../verification/use-human-check.tsx";

function useResetRequest() {
  const { t } = useTranslation("registration");
  const [email, setEmail] = useState("");
  const [refusal, setRefusal] = useState<ApiError>();
  const [left, startCountdown] = useCountdown(MAIL_COUNTDOWN_SECONDS);
  const human = useHumanCheck("reset");
  const send = useMutation({
    mutationFn: (query: { email: string; turnstile: string }) => callApi("GET /api/reset_password", { query }),
    meta: { shownInPlace: true },
    onSuccess: () => {
      toastSuccess(t("resetSent"));
      startCountdown();
    },
  });
  const set = (typed: string) => {
    setEmail(typed);
    setRefusal(undefined);
    void loadEntryRules();
  };
  const submit = async (event: SyntheticEvent) => {
    event.preventDefault();
    if (left > 0) return;
    const found = await checkEntry("email", { email });
    setRefusal(found);
    if (found !== undefined) return;
    const turnstile = human.take();
    if (turnstile !== undefined) send.mutate({ email: email.trim(), turnstile });
  };
  return { email, set, submit, send, left, human, error: refusal ?? send.error };
}

export default function ResetRequestPage() {
  const { t } = useTranslation("registration");
  const { email, set, submit, send, left, human, error } = useResetRequest();
  const problem = useErrorText(error);
  const { reset_enabled: isPossible } = useStoredStatus();
  return (
    <EntryPage title={t("reset")} heading={t("reset")} links={<TextLink to="/login">{t("toLogin")}</TextLink>}>
      {isPossible ? (
        <form onSubmit={(event) => void submit(event)} noValidate>
          <Stack gap="md">
            <TextInput
              label={t("email")}
              description={t("resetHint")}
              type="email"
              autoComplete="email"
              autoFocus
              value={email}
              error={error !== null && problem}
              errorProps={{ role: "alert" }}
              onChange={(event) => set(event.currentTarget.value)}
            />
            {human.widget}
            {send.isSuccess && <Alert color="success">{t("resetSentText")}</Alert>}
            <CountdownButton type="submit" fullWidth loading={send.isPending} left={left}>
              {t("resetSubmit")}
            </CountdownButton>
          </Stack>
        </form>
      ) : (
        <Alert color="warning">{t("resetOff")}</Alert>
      )}
    </EntryPage>
  );
}
