import { Button, Text, TextInput } from "@mantine/core";
import { sendTestMail } from "@one-api/contract/option";
import { MAIL_COUNTDOWN_SECONDS } from "@one-api/contract/registration";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../../lib/api/api-client.ts";
import { useErrorText } from "../../../lib/api/error-text.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import { useCountdown } from "../../../lib/use-countdown.ts";
import { useSelf } from "../../profile/self-queries.ts";
import { OptionTab } from "../option-tab.tsx";
import classes from "../settings-page.module.css";
import { OptionSectionCard } from "./option-section.tsx";
import { type Draft, SYSTEM_SECTIONS } from "./system-options.ts";

/** Sends a mail with the saved settings. */
function TestMail() {
  const { t } = useTranslation("settings", "registration");
  const { data: self } = useSelf();
  const [typed, setTyped] = useState<string>();
  const email = typed ?? self?.email ?? "";
  const [left, startCountdown] = useCountdown(MAIL_COUNTDOWN_SECONDS);
  const send = useMutation({
    mutationFn: () => callApi(sendTestMail, { body: { email: email.trim() } }),
    meta: { shownInPlace: true },
    onSuccess: () => {
      toastSuccess(t("testMailSent", { email }));
      startCountdown();
    },
  });
  const problem = useErrorText(send.error);
  return (
    <>
      <TextInput
        className={classes.mail ?? ""}
        label={t("testMailTo")}
        type="email"
        value={email}
        error={send.isError}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button
        variant="default"
        disabled={left > 0}
        loading={send.isPending}
        onClick={() => email.trim() !== "" && send.mutate()}
      >
        {left > 0 ? t("registration:countdown", { seconds: left }) : t("testMail")}
      </Button>
      {send.isError && (
        <Text className={classes.shown ?? ""} size="sm" c="danger" role="alert">
          {problem}
        </Text>
      )}
    </>
  );
}

/** What administrators set about how people come in and where the system stands. */
export default function SystemSettings() {
  const { t } = useTranslation("settings");
  const [smtpDraft, setSmtpDraft] = useState<Draft>({});
  const hasTypedToken = (smtpDraft["SMTPToken"] ?? "") !== "";
  return (
    <OptionTab>
      {(saved) =>
        SYSTEM_SECTIONS.map((section) => {
          const hasMail = saved.secrets.includes("SMTPToken") || hasTypedToken;
          const refuse = () => (hasMail ? undefined : t("whitelistNeedsSmtp"));
          return (
            <OptionSectionCard
              key={section.id}
              section={section}
              saved={saved}
              {...(section.id === "whitelist" ? { refuse } : {})}
              {...(section.id === "smtp" ? { onDraft: setSmtpDraft, extra: <TestMail /> } : {})}
            />
          );
        })
      }
    </OptionTab>
  );
}
