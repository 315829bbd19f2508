import { Button } from "@mantine/core";
import { codeInputSchema } from "@one-api/contract/accounts/factor";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { IconFingerprint } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ErrorAlert } from "../../components/boxes/error-alert.tsx";
import { showInter } from "../../fonts/show-inter.ts";
import { callApi } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { leaveSecondStep } from "../../lib/api/second-step.ts";
import { isAccepted } from "../../lib/validate-form.ts";
import { CodeField } from "./code-field.tsx";
import { enterWithPasskey } from "./passkeys.ts";
import classes from "./second-step-form.module.css";

interface SecondStepFormProps {
  /** Comma-separated, as the server said. */
  ways: string;
  onDone(user: SessionUser): void;
}

/** Sends a code, or undefined for a passkey. An expired step leads back to the first. */
function useEnter(onDone: SecondStepFormProps["onDone"]) {
  const enter = useMutation({
    mutationFn: (typed: string | undefined) =>
      typed === undefined ? enterWithPasskey(true) : callApi("POST /api/user/login/code", { body: { code: typed } }),
    meta: { shownInPlace: true },
    onSuccess: (user) => user !== undefined && onDone(user),
    onError: (error) => {
      if (error instanceof ApiError && error.code === "login-step-over") leaveSecondStep();
    },
  });
  const isWith = (way: "code" | "passkey") =>
    enter.isPending && (enter.variables === undefined) === (way === "passkey");
  return { enter, isWithCode: isWith("code"), isWithPasskey: isWith("passkey") };
}

/** Second step of a login: a code or a passkey. */
export default function SecondStepForm({ ways, onDone }: SecondStepFormProps) {
  const { t } = useTranslation("security");
  const [code, setCode] = useState("");
  // The second step is another page to its reader.
  useEffect(showInter, []);
  const { enter, isWithCode, isWithPasskey } = useEnter(onDone);
  const onChange = (typed: string) => {
    setCode(typed);
    if (enter.isError) enter.reset();
  };
  const hasApp = ways.includes("totp");
  return (
    <form
      className={classes.step ?? ""}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isAccepted(codeInputSchema, { code })) enter.mutate(code.trim());
      }}
    >
      {ways.includes("passkey") && (
        <Button
          variant={hasApp ? "default" : "filled"}
          leftSection={<IconFingerprint size={16} />}
          onClick={() => enter.mutate(undefined)}
          loading={isWithPasskey}
          disabled={isWithCode}
        >
          {t("step.passkey")}
        </Button>
      )}
      <CodeField hasApp={hasApp} autoFocus data-autofocus value={code} error={enter.isError} onChange={onChange} />
      <ErrorAlert error={enter.error} />
      <Button type="submit" loading={isWithCode} disabled={isWithPasskey} variant={hasApp ? "filled" : "default"}>
        {t("step.submit")}
      </Button>
      <Button variant="subtle" onClick={leaveSecondStep}>
        {t("step.back")}
      </Button>
    </form>
  );
}
