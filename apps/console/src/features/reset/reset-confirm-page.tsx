import { Alert, Stack, TextInput } from "@mantine/core";
import { MAIL_COUNTDOWN_SECONDS } from "@one-api/contract/accounts/user-constants";
import { useMutation } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { SyntheticEvent } from "react";
import { ErrorAlert } from "../../components/boxes/error-alert.tsx";
import { CountdownButton } from "../../components/buttons/countdown-button.tsx";
import { CopyButton } from "../../components/buttons/copy-button.tsx";
import { TextLink } from "../../components/text-link.tsx";
import { useCopy } from "../../components/buttons/use-copy.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { clearUser } from "../../lib/state/session.ts";
import { useCountdown } from "../../lib/use-countdown.ts";
import { EntryPage } from "../login/entry-page.tsx";

const route = getRouteApi("/user/reset");

export default function ResetConfirmPage() {
  const { t } = useTranslation("registration");
  const { email = "", token = "" } = route.useSearch();
  const [left, startCountdown] = useCountdown(MAIL_COUNTDOWN_SECONDS);
  const copy = useCopy();
  const confirm = useMutation({
    mutationFn: () => callApi("POST /api/user/reset", { body: { email, token } }),
    meta: { shownInPlace: true },
    onSuccess: (password) => {
      // The reset ended this browser's session too; without this, the next call would open the login before the
      // password is read.
      clearUser();
      return copy(password, t("newPasswordCopied"));
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    if (email === "" || token === "" || left > 0) return;
    startCountdown();
    confirm.mutate();
  };
  const isIncomplete = email === "" || token === "";
  return (
    <EntryPage title={t("confirm")} heading={t("confirm")} links={<TextLink to="/login">{t("toLogin")}</TextLink>}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <TextInput label={t("email")} value={email} readOnly variant="filled" />
          {isIncomplete && <Alert color="danger">{t("linkIncomplete")}</Alert>}
          <ErrorAlert error={confirm.error} />
          {confirm.isSuccess ? (
            <TextInput
              label={t("newPassword")}
              description={t("newPasswordHint")}
              value={confirm.data}
              readOnly
              autoFocus
              rightSection={<CopyButton text={confirm.data} />}
            />
          ) : (
            !isIncomplete && (
              <CountdownButton type="submit" fullWidth loading={confirm.isPending} left={left}>
                {t("confirmSubmit")}
              </CountdownButton>
            )
          )}
        </Stack>
      </form>
    </EntryPage>
  );
}
