import { Alert, Button } from "@mantine/core";
import { IconShieldExclamation } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import settings from "../settings-page.module.css";
import { factorsQuery } from "./factor-queries.ts";
import { ProofDialog } from "./proof-dialog.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";
import classes from "./security.module.css";
import { ConfirmTotpDialog, type TotpKey } from "./confirm-totp-dialog.tsx";

type Step =
  | { readonly at: "begin" | "remove" | "renew" }
  | { readonly at: "confirm"; readonly totp: TotpKey }
  | { readonly at: "codes"; readonly codes: readonly string[] };

interface DialogsProps {
  step: Step;
  setStep(step: Step | undefined): void;
}

function RemoveTotpDialog({ onDone, onClose }: { onDone(): void; onClose(): void }) {
  const { t } = useTranslation("security");
  return (
    <ProofDialog
      title={t("twoStep.removeTitle")}
      text={t("twoStep.removeText")}
      submitLabel={t("twoStep.remove")}
      tone="danger"
      send={(proof) => callApi("POST /api/user/factors/totp/remove", { body: { proof } })}
      onDone={() => {
        toastSuccess(t("twoStep.removed"));
        onDone();
      }}
      onClose={onClose}
    />
  );
}

function TwoStepDialogs({ step, setStep }: DialogsProps) {
  const { t } = useTranslation("security");
  const client = useQueryClient();
  const onClose = () => setStep(undefined);
  const showCodes = (codes: readonly string[]) => {
    void client.invalidateQueries({ queryKey: ["security"] });
    setStep(codes.length > 0 ? { at: "codes", codes } : undefined);
  };
  switch (step.at) {
    case "begin":
      return (
        <ProofDialog
          title={t("twoStep.setUpTitle")}
          text={t("twoStep.setUpText")}
          submitLabel={t("proof.next")}
          send={(proof) => callApi("POST /api/user/factors/totp/begin", { body: { proof } })}
          onDone={(totp) => setStep({ at: "confirm", totp })}
          onClose={onClose}
        />
      );
    case "confirm":
      return <ConfirmTotpDialog totp={step.totp} onDone={showCodes} onClose={onClose} />;
    case "remove":
      return <RemoveTotpDialog onDone={() => showCodes([])} onClose={onClose} />;
    case "renew":
      return (
        <ProofDialog
          title={t("recovery.renew")}
          text={t("recovery.renewText")}
          submitLabel={t("recovery.renew")}
          send={(proof) => callApi("POST /api/user/factors/recovery_codes", { body: { proof } })}
          onDone={({ recovery_codes: codes }) => showCodes(codes)}
          onClose={onClose}
        />
      );
    case "codes":
      return <RecoveryCodesDialog codes={step.codes} onClose={onClose} />;
  }
}

interface LineProps {
  title: string;
  state: ReactNode;
  action: string;
  isReady: boolean;
  onAction(button: HTMLElement): void;
}

function Line({ title, state, action, isReady, onAction }: LineProps) {
  return (
    <div className={settings.line}>
      <span className={classes.text ?? ""}>
        <div>{title}</div>
        <div className={settings.secondary}>{state}</div>
      </span>
      <Button variant="default" disabled={!isReady} onClick={(event) => onAction(event.currentTarget)}>
        {action}
      </Button>
    </div>
  );
}

export function TwoStepCard() {
  const { t } = useTranslation("security");
  const { data: factors, error, refetch } = useQuery(factorsQuery);
  const [step, setStep] = useState<Step>();
  const opener = useRef<HTMLElement>(null);
  // The dialogs follow each other, so that the last one knows only the one before it, which is gone.
  useEffect(() => {
    if (step === undefined) opener.current?.focus();
  }, [step]);
  const begin = (button: HTMLElement, first: Step) => {
    opener.current = button;
    setStep(first);
  };
  const since = factors?.totp_since ?? 0;
  const hasFactor = since > 0 || (factors?.passkeys.length ?? 0) > 0;
  const sinceText = (
    <>
      {t("twoStep.since")} <TimeText time={since} dateOnly />
    </>
  );
  return (
    <Card title={t("twoStep.title")} description={t("twoStep.text")}>
      {error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {factors?.is_required === true && (
        <Alert color="warning" icon={<IconShieldExclamation size={18} />} mb="md">
          {t("twoStep.required")}
        </Alert>
      )}
      <Line
        title={t("twoStep.app")}
        state={since > 0 ? sinceText : t("twoStep.off")}
        action={t(since > 0 ? "twoStep.remove" : "twoStep.setUp")}
        isReady={factors !== undefined}
        onAction={(button) => begin(button, { at: since > 0 ? "remove" : "begin" })}
      />
      {hasFactor && (
        <Line
          title={t("recovery.title")}
          state={t("recovery.left", { count: factors?.recovery_codes_left ?? 0 })}
          action={t("recovery.renew")}
          isReady
          onAction={(button) => begin(button, { at: "renew" })}
        />
      )}
      {step !== undefined && <TwoStepDialogs step={step} setStep={setStep} />}
    </Card>
  );
}
