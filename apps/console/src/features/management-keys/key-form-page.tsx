import { TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import type { NewManagementKey } from "@one-api/contract/accounts/management-key";
import { KEY_VALIDITIES, MANAGEMENT_KEY_LIMITS } from "@one-api/contract/accounts/management-key-constants";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Select } from "../../components/floating/select.tsx";
import { FormPage } from "../../components/form/form-page.tsx";
import { FormSection, FormWide } from "../../components/form/form-section.tsx";
import { FreeListInput } from "../../components/form/list-inputs.tsx";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { keyPayload, type KeyValues, newKeyValues, useKeyProblems } from "./key-form-model.ts";
import { useCreateKey } from "./key-queries.ts";
import { ScopeFields } from "./scope-fields.tsx";

const NewSecretDialog = lazyPart(() => import("./new-secret-dialog.tsx"));

function KeyFields({ form }: { form: UseFormReturnType<KeyValues> }) {
  const { t } = useTranslation("management-keys");
  return (
    <FormSection title={t("form.section")}>
      <TextInput
        label={t("columns.name")}
        description={t("form.nameHint")}
        withAsterisk
        maxLength={MANAGEMENT_KEY_LIMITS.nameLength}
        {...form.getInputProps("name")}
      />
      <Select
        aria-label={t("form.validity")}
        label={t("form.validity")}
        data={KEY_VALIDITIES.map((days) => ({ value: String(days), label: t(`validities.${days}`) }))}
        value={String(form.getValues().days)}
        onChange={(chosen) => form.setFieldValue("days", Number(chosen))}
      />
      <FormWide>
        <FreeListInput
          label={t("columns.networks")}
          description={t("form.networksHint")}
          placeholder="192.0.2.0/24"
          {...form.getInputProps("networks")}
        />
      </FormWide>
    </FormSection>
  );
}

/** Creates a management key, and shows its secret before it leads back to the list. */
export default function KeyFormPage() {
  const { t } = useTranslation("management-keys");
  const navigate = useNavigate();
  const create = useCreateKey();
  const [made, setMade] = useState<NewManagementKey>();
  const form = useForm<KeyValues>({
    initialValues: newKeyValues(),
    validateInputOnBlur: ["name", "networks"],
    validate: useKeyProblems(),
  });
  const save = async (values: KeyValues) =>
    setMade(await create.mutateAsync(keyPayload(values, Math.floor(Date.now() / 1_000))));
  return (
    <FormPage
      title={t("addTitle")}
      saveLabel={t("add")}
      backPath="/management-keys"
      form={form}
      save={save}
      onSaved={() => undefined}
    >
      <KeyFields form={form} />
      <ScopeFields form={form} />
      {made !== undefined && (
        <NewSecretDialog made={made} onClose={() => void navigate({ to: "/management-keys", replace: true })} />
      )}
    </FormPage>
  );
}
