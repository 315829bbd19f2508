import { Button, Text, TextInput } from "@mantine/core";
import { DEFAULT_PROXY_TARGET } from "@one-api/contract/options/option";
import { MAIL_COUNTDOWN_SECONDS } from "@one-api/contract/accounts/user-constants";
import { useMutation } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { CountdownButton } from "../../../components/buttons/countdown-button.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useErrorText } from "../../../lib/api/error-text.ts";
import { formatTwoDecimals } from "../../../lib/format.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useCountdown } from "../../../lib/use-countdown.ts";
import { useSelf } from "../../profile/self-queries.ts";
import classes from "../options/options.module.css";

function Outcome({ error, answer }: { error: unknown; answer?: string | undefined }) {
  const problem = useErrorText(error);
  const isRefused = error !== null;
  if (!isRefused && answer === undefined) return null;
  return (
    <Text
      className={classes.shown ?? ""}
      size="sm"
      role={isRefused ? "alert" : "status"}
      {...(isRefused ? { c: "danger" } : {})}
    >
      {isRefused ? problem : answer}
    </Text>
  );
}

/** Tests the typed text; an empty field gets the focus instead. */
function tryWith(text: string, attempt: (text: string) => void, field: RefObject<HTMLInputElement | null>): void {
  if (text.trim() === "") field.current?.focus();
  else attempt(text.trim());
}

/** Sends a mail with the saved settings. `refuse` says why it cannot be sent as they are; undefined when it can. */
export function TestMail({ refuse }: { refuse(): string | undefined }) {
  const { t } = useTranslation("settings");
  const field = useRef<HTMLInputElement>(null);
  const { data: self } = useSelf();
  const [typed, setTyped] = useState<string>();
  const email = typed ?? self?.email ?? "";
  const [refusal, setRefusal] = useState<string>();
  const [left, startCountdown] = useCountdown(MAIL_COUNTDOWN_SECONDS);
  const send = useMutation({
    mutationFn: (to: string) => callApi("POST /api/option/test_mail", { body: { email: to } }),
    meta: { shownInPlace: true },
    onSuccess: (_, to) => {
      toastSuccess(t("testMailSent", { email: to }));
      startCountdown();
    },
  });
  const trySend = (to: string) => {
    const reason = refuse();
    setRefusal(reason);
    send.reset();
    if (reason === undefined) send.mutate(to);
  };
  return (
    <>
      <TextInput
        ref={field}
        className={classes.mail ?? ""}
        label={t("testMailTo")}
        type="email"
        value={email}
        error={send.isError}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <CountdownButton
        variant="default"
        left={left}
        loading={send.isPending}
        onClick={() => tryWith(email, trySend, field)}
      >
        {t("testMail")}
      </CountdownButton>
      <Outcome error={refusal === undefined ? send.error : new Error(refusal)} />
    </>
  );
}

/** Sends a message to Message Pusher with the saved settings. */
export function TestMessage() {
  const { t } = useTranslation("settings");
  const [left, startCountdown] = useCountdown(MAIL_COUNTDOWN_SECONDS);
  const send = useMutation({
    mutationFn: () => callApi("POST /api/option/test_push"),
    meta: { shownInPlace: true },
    onSuccess: () => {
      toastSuccess(t("testMessageSent"));
      startCountdown();
    },
  });
  return (
    <>
      <Outcome error={send.error} />
      <CountdownButton variant="default" left={left} loading={send.isPending} onClick={() => send.mutate()}>
        {t("testMessage")}
      </CountdownButton>
    </>
  );
}

/** Calls an address through the saved proxy. */
export function TestProxy() {
  const { t } = useTranslation("settings");
  const field = useRef<HTMLInputElement>(null);
  const [address, setAddress] = useState<string>(DEFAULT_PROXY_TARGET);
  const test = useMutation({
    mutationFn: (target: string) => callApi("POST /api/option/test_proxy", { body: { address: target } }),
    meta: { shownInPlace: true },
  });
  const { data, variables } = test;
  const answer =
    data === undefined
      ? undefined
      : t("testProxyAnswered", { ...data, time: formatTwoDecimals(data.time), address: new URL(variables).host });
  return (
    <>
      <TextInput
        ref={field}
        className={classes.mail ?? ""}
        label={t("testProxyTo")}
        inputMode="url"
        value={address}
        error={test.isError}
        onChange={(event) => setAddress(event.currentTarget.value)}
      />
      <Button variant="default" loading={test.isPending} onClick={() => tryWith(address, test.mutate, field)}>
        {t("testProxy")}
      </Button>
      <Outcome error={test.error} answer={answer} />
    </>
  );
}
