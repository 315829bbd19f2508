import { Alert, Button } from "@mantine/core";
import { beginTotp, createRecoveryCodes, removeTotp } from "@one-api/contract/factor";
import { IconShieldExclamation } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { ListError } from "../../../components/data-table/list-error.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts.ts";
import settings from "../settings-page.module.css";
import { factorsQuery } from "./factor-queries.ts";
import { ProofDialog } from "./proof-dialog.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";
import classes from "./security.module.css";
import { ConfirmTotpDialog, type TotpKey } from "./confirm-totp-dialog.tsx";

/** What is open over the card; its steps follow each other. */
type Step =
  | { readonly at: "begin" | "remove" | "renew" }
  | { readonly at: "confirm"; readonly totp: TotpKey }
  | { readonly at: "codes"; readonly codes: readonly string[] };

/** The authenticator app and the recovery codes. */
export function TwoStepCard() {
  const { t } = useTranslation("security");
  const { data: factors, error, refetch } = useQuery(factorsQuery);
  const client = useQueryClient();
  const [step, setStep] = useState<Step>();
  const close = () => setStep(undefined);
  const showCodes = (codes: readonly string[]) => {
    void client.invalidateQueries({ queryKey: ["security"] });
    setStep(codes.length > 0 ? { at: "codes", codes } : undefined);
  };
  const hasApp = (factors?.totp_since ?? 0) > 0;
  const hasFactor = hasApp || (factors?.passkeys.length ?? 0) > 0;
  return (
    <Card title={t("twoStep.title")} description={t("twoStep.text")}>
      {error !== null && <ListError error={error} onRetry={() => void refetch()} />}
      {factors?.is_required === true && (
        <Alert color="warning" icon={<IconShieldExclamation size={18} />} mb="md">
          {t("twoStep.required")}
        </Alert>
      )}
      <div className={settings.line}>
        <span className={classes.text ?? ""}>
          <div>{t("twoStep.app")}</div>
          <div className={settings.secondary}>
            {hasApp ? (
              <>
                {t("twoStep.since")} <TimeText time={factors?.totp_since ?? 0} dateOnly />
              </>
            ) : (
              t("twoStep.off")
            )}
          </div>
        </span>
        <Button
          variant="default"
          disabled={factors === undefined}
          onClick={() => setStep({ at: hasApp ? "remove" : "begin" })}
        >
          {t(hasApp ? "twoStep.remove" : "twoStep.setUp")}
        </Button>
      </div>
      {hasFactor && (
        <div className={settings.line}>
          <span className={classes.text ?? ""}>
            <div>{t("recovery.title")}</div>
            <div className={settings.secondary}>{t("recovery.left", { count: factors?.recovery_codes_left ?? 0 })}</div>
          </span>
          <Button variant="default" onClick={() => setStep({ at: "renew" })}>
            {t("recovery.renew")}
          </Button>
        </div>
      )}
      {step?.at === "begin" && (
        <ProofDialog
          title={t("twoStep.setUpTitle")}
          text={t("twoStep.setUpText")}
          submitLabel={t("proof.next")}
          send={(proof) => callApi(beginTotp, { body: { proof } })}
          onDone={(totp) => setStep({ at: "confirm", totp })}
          onClose={close}
        />
      )}
      {step?.at === "confirm" && <ConfirmTotpDialog totp={step.totp} onDone={showCodes} onClose={close} />}
      {step?.at === "remove" && (
        <ProofDialog
          title={t("twoStep.removeTitle")}
          text={t("twoStep.removeText")}
          submitLabel={t("twoStep.remove")}
          tone="danger"
          send={(proof) => callApi(removeTotp, { body: { proof } })}
          onDone={() => {
            toastSuccess(t("twoStep.removed"));
            showCodes([]);
          }}
          onClose={close}
        />
      )}
      {step?.at === "renew" && (
        <ProofDialog
          title={t("recovery.renew")}
          text={t("recovery.renewText")}
          submitLabel={t("recovery.renew")}
          send={(proof) => callApi(createRecoveryCodes, { body: { proof } })}
          onDone={({ recovery_codes: codes }) => showCodes(codes)}
          onClose={close}
        />
      )}
      {step?.at === "codes" && <RecoveryCodesDialog codes={step.codes} onClose={close} />}
    </Card>
  );
}
