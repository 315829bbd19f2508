import { useForm } from "@mantine/form";
import type { Receiver } from "@one-api/contract/notifications/receiver";
import { useNavigate } from "@tanstack/react-router";
import { FormPage } from "../../../components/form/form-page.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { AlertFields, QuietFields } from "./choice-fields.tsx";
import {
  newReceiverValues,
  receiverPayload,
  type ReceiverValues,
  storedReceiverValues,
  useReceiverProblems,
} from "./receiver-form-model.ts";
import { useSaveReceiver, useTestReceiver } from "./receiver-queries.ts";
import { TargetFields } from "./target-fields.tsx";

export function ReceiverForm({ receiver }: { receiver?: Receiver }) {
  const { t } = useTranslation("notifications");
  const navigate = useNavigate();
  const saveReceiver = useSaveReceiver();
  const test = useTestReceiver();
  const form = useForm<ReceiverValues>({
    initialValues: receiver === undefined ? newReceiverValues() : storedReceiverValues(receiver),
    validateInputOnBlur: ["name", "address", "secret"],
    validate: useReceiverProblems(receiver?.id),
  });
  const save = (values: ReceiverValues) => saveReceiver.mutateAsync(receiverPayload(values, receiver?.id));
  // A failed test is a toast, and the list shows it: the receiver is saved.
  const saveAndTest = async (values: ReceiverValues) => {
    const { id, name } = await save(values);
    test.mutate(id, { onSuccess: () => toastSuccess(t("test.done", { name })) });
  };
  return (
    <FormPage
      title={t(receiver === undefined ? "addTitle" : "editTitle")}
      {...(receiver === undefined ? { saveLabel: t("add") } : {})}
      subject={receiver?.name}
      backPath="/notifications"
      backLabel={t("title")}
      form={form}
      save={save}
      extraSubmit={{ label: t("saveAndTest"), save: saveAndTest }}
      onSaved={() => {
        toastSuccess(t("saved"));
        void navigate({ to: "/notifications" });
      }}
    >
      <TargetFields form={form} receiver={receiver} />
      <AlertFields form={form} />
      <QuietFields form={form} />
    </FormPage>
  );
}
