import { ActionIcon, Button, TextInput } from "@mantine/core";
import { type Passkey, PASSKEY_LIMITS, passkeyNameSchema, type Proof } from "@one-api/contract/accounts/factor";
import { IconPencil, IconTrash } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { RelativeTime } from "../../../components/relative-time.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../../lib/state/stored-status.ts";
import { isAccepted } from "../../../lib/validate-form.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { canUsePasskeys } from "../../../lib/browser/can-use-passkeys.ts";
import settings from "../settings-page.module.css";
import { browserName } from "./browser-name.ts";
import { factorsQuery } from "./factor-queries.ts";
import { makePasskey } from "../../second-step/passkeys.ts";
import { ProofDialog } from "./proof-dialog.tsx";
import { RecoveryCodesDialog } from "./recovery-codes-dialog.tsx";
import classes from "./security.module.css";

function RenameDialog({ passkey, onClose }: { passkey: Passkey; onClose(): void }) {
  const { t } = useTranslation("security");
  const client = useQueryClient();
  const [name, setName] = useState(passkey.name);
  const rename = useMutation({
    mutationFn: () =>
      callApi("PUT /api/user/factors/passkeys/:id", { params: { id: passkey.id }, body: { name: name.trim() } }),
    meta: { shownInPlace: true },
    onSuccess: () => {
      void client.invalidateQueries({ queryKey: factorsQuery.queryKey });
      onClose();
    },
  });
  return (
    <FormDialog
      title={t("passkeys.rename", { name: passkey.name })}
      size="sm"
      onClose={onClose}
      submitLabel={t("passkeys.save")}
      isSaving={rename.isPending}
      error={rename.error}
      onSubmit={() => isAccepted(passkeyNameSchema, name) && rename.mutate()}
    >
      <TextInput
        label={t("passkeys.name")}
        maxLength={PASSKEY_LIMITS.nameLength}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}

interface PasskeyLineProps {
  passkey: Passkey;
  onRename(): void;
  onRemove(): void;
}

function PasskeyLine({ passkey: { name, ...passkey }, onRename, onRemove }: PasskeyLineProps) {
  const { t } = useTranslation("security");
  return (
    <div className={settings.line}>
      <span className={classes.text ?? ""}>
        <div>{name}</div>
        <div className={settings.secondary}>
          {t("passkeys.added")} <TimeText time={passkey.created_at} dateOnly /> · {t("passkeys.lastUsed")}{" "}
          <RelativeTime time={passkey.last_used_at} never={t("passkeys.never")} />
        </div>
      </span>
      <span className={classes.actions}>
        <ActionIcon aria-label={t("passkeys.rename", { name })} onClick={onRename}>
          <IconPencil size={16} />
        </ActionIcon>
        <ActionIcon aria-label={t("passkeys.remove", { name })} onClick={onRemove}>
          <IconTrash size={16} />
        </ActionIcon>
      </span>
    </div>
  );
}

type Step =
  | { readonly at: "add" }
  | { readonly at: "rename" | "remove"; readonly passkey: Passkey }
  | { readonly at: "codes"; readonly codes: readonly string[] };

/** Has the browser make a passkey and adds it, named after the browser; undefined when the person would not. */
async function addOne(proof: Proof) {
  const made = await makePasskey(await callApi("POST /api/user/factors/passkeys/begin", { body: { proof } }));
  return (
    made && callApi("POST /api/user/factors/passkeys", { body: { ...made, name: browserName(navigator.userAgent) } })
  );
}

interface DialogsProps {
  step: Step;
  setStep(step: Step | undefined): void;
}

function PasskeyDialogs({ step, setStep }: DialogsProps) {
  const { t } = useTranslation("security");
  const client = useQueryClient();
  const onClose = () => setStep(undefined);
  const onChanged = (text: string, codes: readonly string[]) => {
    toastSuccess(text);
    void client.invalidateQueries({ queryKey: ["security"] });
    setStep(codes.length > 0 ? { at: "codes", codes } : undefined);
  };
  switch (step.at) {
    case "add":
      return (
        <ProofDialog
          title={t("passkeys.add")}
          text={t("passkeys.addText")}
          submitLabel={t("proof.next")}
          send={addOne}
          onDone={(added) => (added === undefined ? onClose() : onChanged(t("passkeys.done"), added.recovery_codes))}
          onClose={onClose}
        />
      );
    case "rename":
      return <RenameDialog passkey={step.passkey} onClose={onClose} />;
    case "remove":
      return (
        <ProofDialog
          title={t("passkeys.remove", { name: step.passkey.name })}
          text={t("passkeys.removeText")}
          submitLabel={t("passkeys.removeAction")}
          tone="danger"
          send={(proof) =>
            callApi("POST /api/user/factors/passkeys/:id/remove", { params: { id: step.passkey.id }, body: { proof } })
          }
          onDone={() => onChanged(t("passkeys.removed"), [])}
          onClose={onClose}
        />
      );
    case "codes":
      return <RecoveryCodesDialog codes={step.codes} onClose={onClose} />;
  }
}

export function PasskeysCard() {
  const { t } = useTranslation("security");
  const { data: factors } = useQuery(factorsQuery);
  const { server_address: address } = useStoredStatus();
  const [step, setStep] = useState<Step>();
  const isPossible = canUsePasskeys(address);
  return (
    <Card
      title={t("passkeys.title")}
      description={t(isPossible ? "passkeys.text" : "passkeys.impossible", { address: address || "http://localhost" })}
      actions={
        <Button
          variant="default"
          disabled={factors === undefined || !isPossible}
          onClick={() => setStep({ at: "add" })}
        >
          {t("passkeys.add")}
        </Button>
      }
    >
      {factors?.passkeys.map((passkey) => (
        <PasskeyLine
          key={passkey.id}
          passkey={passkey}
          onRename={() => setStep({ at: "rename", passkey })}
          onRemove={() => setStep({ at: "remove", passkey })}
        />
      ))}
      {step !== undefined && <PasskeyDialogs step={step} setStep={setStep} />}
    </Card>
  );
}
