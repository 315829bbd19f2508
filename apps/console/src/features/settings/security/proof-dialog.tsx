import { Button, Stack, Text } from "@mantine/core";
import type { Proof } from "@one-api/contract/accounts/factor";
import { IconFingerprint } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { SecretInput } from "../../../components/secret-input.tsx";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { factorsQuery } from "./factor-queries.ts";
import { CodeField } from "../../second-step/code-field.tsx";
import { askPasskey } from "../../second-step/passkeys.ts";

interface ProofDialogProps<Answer> {
  title: string;
  text: string;
  submitLabel: string;
  tone?: "danger" | "normal";
  /** The password or a factor, not both. */
  isOnePartEnough?: boolean;
  send(proof: Proof): Promise<Answer>;
  onDone(answer: Answer): void;
  onClose(): void;
}

interface ChangeParts<Answer> extends Pick<ProofDialogProps<Answer>, "send" | "onDone"> {
  password: string;
  code: string;
}

/** Sends the change with the typed proof, or with a passkey; a cancelled passkey changes nothing. */
function useChange<Answer>({ password, code, send, onDone }: ChangeParts<Answer>) {
  return useMutation({
    mutationFn: async (withPasskey: boolean) => {
      if (!withPasskey) return { answer: await send({ password, code }) };
      const passkey = await askPasskey(await callApi("POST /api/user/factors/passkeys/ask"));
      return passkey && { answer: await send({ password, passkey }) };
    },
    meta: { shownInPlace: true },
    onSuccess: (sent) => sent !== undefined && onDone(sent.answer),
  });
}

function PasskeyButton({ isDisabled, onUse }: { isDisabled: boolean; onUse(): void }) {
  const { t } = useTranslation("security");
  return (
    <Button variant="default" leftSection={<IconFingerprint size={16} />} disabled={isDisabled} onClick={onUse}>
      {t("proof.passkey")}
    </Button>
  );
}

function OwnPasswordInput({ value, onChange }: { value: string; onChange(password: string): void }) {
  const { t } = useTranslation("security");
  return (
    <SecretInput
      label={t("proof.password")}
      autoComplete="current-password"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      visibilityToggleButtonProps={{ "aria-label": t("proof.showPassword") }}
      data-autofocus
    />
  );
}

/** Asks for the password and a second factor, whichever the account has, before factors change. */
export function ProofDialog<Answer>({
  text,
  send,
  onDone,
  isOnePartEnough = false,
  ...dialog
}: ProofDialogProps<Answer>) {
  const { data: factors } = useQuery(factorsQuery);
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const change = useChange({ password, code, send, onDone });
  if (factors === undefined) return null;
  const [asksPassword, asksFactor] = [factors.proof.includes("password"), factors.proof.includes("factor")];
  const [hasPassword, hasCode] = [password !== "", code.trim() !== ""];
  const isComplete = isOnePartEnough
    ? hasPassword || hasCode
    : (!asksPassword || hasPassword) && (!asksFactor || hasCode);
  return (
    <FormDialog
      {...dialog}
      size="sm"
      isSaving={change.isPending}
      error={change.error}
      onEdit={() => change.isError && change.reset()}
      startsAtSubmit={!asksPassword && !asksFactor}
      onSubmit={() => isComplete && change.mutate(false)}
    >
      <Stack gap="md">
        <Text size="md">{text}</Text>
        {asksPassword && <OwnPasswordInput value={password} onChange={setPassword} />}
        {asksFactor && (
          <CodeField
            hasApp={factors.totp_since > 0}
            value={code}
            onChange={setCode}
            data-autofocus={!asksPassword || undefined}
          />
        )}
        {factors.passkeys.length > 0 && (
          <PasskeyButton
            isDisabled={change.isPending || (asksPassword && !hasPassword && !isOnePartEnough)}
            onUse={() => change.mutate(true)}
          />
        )}
      </Stack>
    </FormDialog>
  );
}
