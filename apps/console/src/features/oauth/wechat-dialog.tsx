import { TextInput } from "@mantine/core";
import { oauthCodeSchema } from "@one-api/contract/accounts/oauth";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { asksSecondStep } from "../../lib/api/second-step.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { useStoredStatus } from "../../lib/state/stored-status.ts";
import { isAccepted } from "../../lib/validate-form.ts";
import classes from "./wechat-dialog.module.css";

interface WeChatDialogProps<Answer> {
  title: string;
  submitLabel: string;
  send(code: string): Promise<Answer>;
  onDone(answer: Answer): void;
  onClose(): void;
}

/** QR code of the WeChat account, and a field for the code that the account sends. */
export function WeChatDialog<Answer>({ title, submitLabel, send, onDone, onClose }: WeChatDialogProps<Answer>) {
  const { t } = useTranslation("registration");
  const { wechat_qrcode: image } = useStoredStatus();
  const [code, setCode] = useState("");
  const sending = useMutation({
    mutationFn: send,
    meta: { shownInPlace: true },
    onSuccess: onDone,
    onError: (error) => asksSecondStep(error),
  });
  return (
    <FormDialog
      title={title}
      size="sm"
      onClose={onClose}
      submitLabel={submitLabel}
      isSaving={sending.isPending}
      error={sending.error}
      onEdit={() => sending.isError && sending.reset()}
      onSubmit={() => isAccepted(oauthCodeSchema, code) && sending.mutate(code.trim())}
    >
      {image !== "" && <img className={classes.image} src={image} alt={t("wechatImage")} />}
      <p>{t("wechatText")}</p>
      <TextInput
        label={t("code")}
        autoComplete="one-time-code"
        value={code}
        onChange={(event) => setCode(event.currentTarget.value)}
        data-autofocus
      />
    </FormDialog>
  );
}
