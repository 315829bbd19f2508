import { Skeleton, Stack, Text, TextInput } from "@mantine/core";
import { codeInputSchema } from "@one-api/contract/accounts/factor";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { CopyButton } from "../../../components/buttons/copy-button.tsx";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { laterPart } from "../../../lib/loading/later-part.ts";
import { isAccepted } from "../../../lib/validate-form.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";

/** A key for an authenticator app, as the address that apps scan and as text. */
export interface TotpKey {
  readonly uri: string;
  readonly manual_entry: string;
}

const QrCode = laterPart(() => import("./qr-code.tsx"));

interface ConfirmTotpDialogProps {
  totp: TotpKey;
  onDone(recoveryCodes: readonly string[]): void;
  onClose(): void;
}

/** Shows the key, and confirms the app by a code. */
export function ConfirmTotpDialog({ totp, onDone, onClose }: ConfirmTotpDialogProps) {
  const { t } = useTranslation("security");
  const [code, setCode] = useState("");
  const confirm = useMutation({
    mutationFn: () => callApi("POST /api/user/factors/totp", { body: { code: code.trim() } }),
    meta: { shownInPlace: true },
    onSuccess: ({ recovery_codes: codes }) => {
      toastSuccess(t("twoStep.done"));
      onDone(codes);
    },
  });
  return (
    <FormDialog
      title={t("twoStep.setUpTitle")}
      size="sm"
      onClose={onClose}
      closeOnClickOutside={false}
      submitLabel={t("twoStep.confirm")}
      isSaving={confirm.isPending}
      error={confirm.error}
      onEdit={() => confirm.isError && confirm.reset()}
      onSubmit={() => isAccepted(codeInputSchema, { code }) && confirm.mutate()}
    >
      <Stack gap="md">
        <Text size="md">{t("twoStep.scan")}</Text>
        <QrCode
          timesWanted={1}
          instead={<Skeleton height={200} width={200} mx="auto" />}
          props={{ text: totp.uri, label: t("twoStep.qr") }}
        />
        <TextInput
          label={t("twoStep.key")}
          value={totp.manual_entry}
          readOnly
          rightSection={<CopyButton text={totp.manual_entry} />}
        />
        <TextInput
          label={t("twoStep.code")}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          data-autofocus
        />
      </Stack>
    </FormDialog>
  );
}
