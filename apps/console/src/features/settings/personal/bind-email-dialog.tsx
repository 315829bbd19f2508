import { Stack } from "@mantine/core";
import { bindEmailInputSchema } from "@one-api/contract/accounts/registration";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../../components/dialogs/form-dialog.tsx";
import { callApi } from "../../../lib/api/api-client.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { refusalOf } from "../../../lib/validate-form.ts";
import { EmailCodeFields } from "../../verification/email-code-fields.tsx";
import { useHumanCheck } from "../../verification/use-human-check.tsx";

/** Binds an address to the own account, with the code that is sent there. */
export function BindEmailDialog({ onDone, onClose }: { onDone(): void; onClose(): void }) {
  const { t } = useTranslation("settings", "registration");
  const [email, setEmail] = useState("");
  const [code, setCode] = useState("");
  const human = useHumanCheck("bind");
  const bind = useMutation({
    mutationFn: () => {
      const query = { email: email.trim(), code: code.trim() };
      const refusal = refusalOf(bindEmailInputSchema, query);
      return refusal === undefined ? callApi("GET /api/oauth/email/bind", { query }) : Promise.reject(refusal);
    },
    meta: { shownInPlace: true },
    onSuccess: onDone,
  });
  return (
    <FormDialog
      title={t("bindings.bindName", { name: t("registration:email") })}
      onClose={onClose}
      submitLabel={t("bindings.bind")}
      isSaving={bind.isPending}
      error={bind.error}
      onEdit={() => bind.isError && bind.reset()}
      onSubmit={() => bind.mutate()}
    >
      <Stack gap="md">
        <EmailCodeFields email={email} code={code} onEmail={setEmail} onCode={setCode} takeHumanAnswer={human.take} />
        {human.widget}
      </Stack>
    </FormDialog>
  );
}
