import { Stack, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { USER_LIMITS } from "@one-api/contract/accounts/user-constants";
import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { FormDialog } from "../../components/dialogs/form-dialog.tsx";
import { QuotaInput } from "../../components/form/quota/quota-input.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { QuotaPresets } from "../tokens/form/quota-presets.tsx";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { addBalancePayload, type AddBalanceValues, useAddBalanceProblems } from "./add-balance-model.ts";
import { useAddBalance } from "./page-queries.ts";

interface AddBalanceDialogProps {
  user: ManagedUser;
  onClose(): void;
}

interface AmountFieldProps {
  user: ManagedUser;
  form: UseFormReturnType<AddBalanceValues>;
}

/** The amount, with the balance that it leads to. */
function AmountField({ user, form }: AmountFieldProps) {
  const { t } = useTranslation("user-page");
  const format = useFormatQuota();
  const { quota } = form.values;
  return (
    <div>
      <QuotaInput
        label={t("add.amount")}
        description={
          typeof quota === "number"
            ? t("add.sum", { sum: format(user.quota + quota) })
            : t("add.now", { amount: format(user.quota) })
        }
        withAsterisk
        data-autofocus
        {...form.getInputProps("quota")}
      />
      <QuotaPresets label={t("add.presets")} quota={quota} onChoose={(chosen) => form.setFieldValue("quota", chosen)} />
    </div>
  );
}

export default function AddBalanceDialog({ user, onClose }: AddBalanceDialogProps) {
  const { t } = useTranslation("user-page");
  const format = useFormatQuota();
  const add = useAddBalance(user.id);
  const form = useForm<AddBalanceValues>({
    initialValues: { quota: "", remark: "" },
    validate: useAddBalanceProblems(user.id),
  });
  const save = form.onSubmit((values) => {
    const payload = addBalancePayload(values);
    const amount = format(payload.quota);
    const onSuccess = () => {
      toastSuccess(t("add.done", { amount, name: user.username }));
      onClose();
    };
    add.mutate(payload, { onSuccess });
  });
  return (
    <FormDialog
      title={t("add.title", { name: user.username })}
      submitLabel={t("add.action")}
      isSaving={add.isPending}
      error={add.error}
      onClose={onClose}
      onSubmit={save}
      onEdit={add.reset}
    >
      <Stack>
        <AmountField user={user} form={form} />
        <TextInput
          label={t("add.remark")}
          description={t("add.remarkHint")}
          maxLength={USER_LIMITS.remarkLength}
          {...form.getInputProps("remark")}
        />
      </Stack>
    </FormDialog>
  );
}
