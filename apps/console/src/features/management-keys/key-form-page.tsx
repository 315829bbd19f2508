import { TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import type { ManagementKey, NewManagementKey } from "@one-api/contract/accounts/management-key";
import {
  KEY_AREAS,
  KEY_VALIDITIES,
  type KeyArea,
  MANAGEMENT_KEY_LIMITS,
} from "@one-api/contract/accounts/management-key-constants";
import { NEVER_EXPIRES } from "@one-api/contract/token-constants";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Select } from "../../components/floating/select.tsx";
import { FormLoadError } from "../../components/form/form-load-error.tsx";
import { FormPage } from "../../components/form/form-page.tsx";
import { FormSection, FormWide } from "../../components/form/form-section.tsx";
import { FreeListInput } from "../../components/form/list-inputs.tsx";
import { LoadingPlaceholder } from "../../components/loading-placeholder.tsx";
import { formatDate } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { lazyPart } from "../../lib/loading/later-part.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useRowId } from "../../lib/use-row-id.ts";
import {
  type AreaRight,
  keyChanges,
  keyPayload,
  type KeyValues,
  newKeyValues,
  STORED_END,
  storedKeyValues,
  useKeyProblems,
} from "./key-form-model.ts";
import { managementKeyQuery } from "./key-list.ts";
import { useCreateKey, useUpdateKey } from "./key-queries.ts";
import { ScopeFields } from "./scope-fields.tsx";

const NewSecretDialog = lazyPart(() => import("./new-secret-dialog.tsx"));

/** Longer lists are a number in the sentence. */
const AREAS_NAMED = 4;

interface KeyFieldsProps {
  form: UseFormReturnType<KeyValues>;
  stored?: ManagementKey;
}

function KeyFields({ form, stored }: KeyFieldsProps) {
  const { t } = useTranslation("management-keys");
  const validities = KEY_VALIDITIES.map((days) => ({ value: String(days), label: t(`validities.${days}`) }));
  const end = stored?.expires_at ?? NEVER_EXPIRES;
  const unchanged = t("form.unchanged", { end: end === NEVER_EXPIRES ? t("validities.0") : formatDate(end) });
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
        data={stored === undefined ? validities : [{ value: String(STORED_END), label: unchanged }, ...validities]}
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

/** What the key may do, as one sentence. */
function useKeyOutcome(): (values: KeyValues) => string {
  const { t } = useTranslation("management-keys", "common");
  return ({ rights, days }) => {
    const areasWith = (right: AreaRight) => KEY_AREAS.filter((area) => rights[area] === right);
    const listed = (areas: readonly KeyArea[]) =>
      areas.length > AREAS_NAMED
        ? t("outcome.areas", { count: areas.length })
        : areas.map((area) => t(`areas.${area}`)).join(t("common:listSeparator"));
    const [read, written] = [areasWith("read"), areasWith("write")];
    const parts = [
      ...(read.length > 0 ? [t("outcome.reads", { list: listed(read) })] : []),
      ...(written.length > 0 ? [t("outcome.writes", { list: listed(written) })] : []),
    ];
    if (parts.length === 0) return t("outcome.nothing");
    const end = KEY_VALIDITIES.find((known) => known === days);
    return [...parts, ...(end === undefined ? [] : [t(`outcome.validities.${end}`)])].join(t("outcome.separator"));
  };
}

function StoredKeyForm({ stored }: { stored: ManagementKey }) {
  const { t } = useTranslation("management-keys");
  const navigate = useNavigate();
  const update = useUpdateKey(stored.id);
  const form = useForm<KeyValues>({
    initialValues: storedKeyValues(stored),
    validateInputOnBlur: ["name", "networks"],
    validate: useKeyProblems(false),
  });
  return (
    <FormPage
      title={t("editTitle")}
      subject={stored.name}
      backPath="/management-keys"
      backLabel={t("title")}
      form={form}
      save={(values) => update.mutateAsync(keyChanges(values, Math.floor(Date.now() / 1_000)))}
      onSaved={() => {
        toastSuccess(t("saved"));
        void navigate({ to: "/management-keys" });
      }}
    >
      <KeyFields form={form} stored={stored} />
      <ScopeFields form={form} />
    </FormPage>
  );
}

function EditKey({ id }: { id: number }) {
  const { t } = useTranslation("management-keys");
  const { data, error, refetch } = useQuery(managementKeyQuery(id));
  if (data !== undefined) return <StoredKeyForm stored={data} />;
  if (error === null) return <LoadingPlaceholder prompt={t("title")} />;
  return (
    <FormLoadError title={t("editTitle")} backPath="/management-keys" error={error} onRetry={() => void refetch()} />
  );
}

export default function KeyFormPage() {
  const id = useRowId();
  return id === undefined ? <NewKeyForm /> : <EditKey key={id} id={id} />;
}

/** Creates a management key, and shows its secret before it leads back to the list. */
function NewKeyForm() {
  const { t } = useTranslation("management-keys");
  const navigate = useNavigate();
  const create = useCreateKey();
  const outcomeOf = useKeyOutcome();
  const [made, setMade] = useState<NewManagementKey>();
  const form = useForm<KeyValues>({
    initialValues: newKeyValues(),
    validateInputOnBlur: ["name", "networks"],
    validate: useKeyProblems(true),
  });
  const save = async (values: KeyValues) =>
    setMade(await create.mutateAsync(keyPayload(values, Math.floor(Date.now() / 1_000))));
  return (
    <FormPage
      title={t("addTitle")}
      saveLabel={t("add")}
      outcome={outcomeOf(form.values)}
      backPath="/management-keys"
      backLabel={t("title")}
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
