import { Button, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { type Binding, BINDING_FIELDS } from "@one-api/contract/accounts/binding";
import { LIMIT_FIELDS } from "@one-api/contract/limits/limit-constants";
import { OPTION_RATIOS, parseRatios } from "@one-api/contract/prices/ratios";
import { MIN_PASSWORD_LENGTH, USER_LIMITS } from "@one-api/contract/accounts/user-constants";
import type { ManagedUser } from "@one-api/contract/accounts/user-management";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { SecretInput } from "../../../components/secret-input.tsx";
import { Facts } from "../../../components/boxes/facts.tsx";
import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import { FormPage } from "../../../components/form/form-page.tsx";
import { hasOwnValue } from "../../../components/form/has-own.ts";
import { FoldedSection, FoldedSections, FormSection, SectionCard } from "../../../components/form/form-section.tsx";
import { ChoiceListInput } from "../../../components/form/list-inputs.tsx";
import { LimitFields } from "../../../components/form/limit-fields.tsx";
import { BudgetFields } from "../../../components/form/quota/budget-fields.tsx";
import { mergeEdits } from "../../../components/form/merge-edits.ts";
import { QuotaInput } from "../../../components/form/quota/quota-input.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { useFormatQuota } from "../../../lib/use-format-quota.ts";
import { groupsQuery } from "../../channels/channel-queries.ts";
import { accountOptionsQuery, userQuery } from "../user-queries.ts";
import { useClearBinding, useCreateUser, useUpdateUser } from "../user-mutations.ts";
import {
  createUserPayload,
  newUserValues,
  storedUserValues,
  updateUserPayload,
  type UserValues,
  useUserProblems,
} from "./user-form-model.ts";

interface FieldsProps {
  form: UseFormReturnType<UserValues>;
  isNew: boolean;
}

function AccountFields({ form, isNew }: FieldsProps) {
  const { t } = useTranslation("users");
  const hint = isNew ? "form.passwordHint" : "form.newPasswordHint";
  return (
    <FormSection title={t("form.account")}>
      <TextInput
        label={t("form.username")}
        withAsterisk
        autoComplete="off"
        maxLength={USER_LIMITS.nameLength}
        {...form.getInputProps("username")}
      />
      <TextInput
        label={t("form.displayName")}
        autoComplete="off"
        maxLength={USER_LIMITS.nameLength}
        {...form.getInputProps("display_name")}
      />
      <SecretInput
        label={isNew ? t("form.password") : t("form.newPassword")}
        description={t(hint, { length: MIN_PASSWORD_LENGTH })}
        withAsterisk={isNew}
        autoComplete="new-password"
        maxLength={USER_LIMITS.passwordLength}
        visibilityToggleButtonProps={{ "aria-label": t("form.showPassword") }}
        {...form.getInputProps("password")}
      />
    </FormSection>
  );
}

/** What a changed balance gains or loses. */
function useBalanceHint(): (before: number, quota: number | string) => string {
  const { t } = useTranslation("users");
  const format = useFormatQuota();
  return (before, quota) => {
    const gained = typeof quota === "number" ? quota - before : 0;
    if (gained === 0) return t("form.quotaHint");
    return t(gained > 0 ? "form.quotaAdds" : "form.quotaTakes", { amount: format(Math.abs(gained)) });
  };
}

function RightsFields({ form, user }: Pick<FieldsProps, "form"> & { user: ManagedUser }) {
  const { t } = useTranslation("users");
  const groups = useQuery(groupsQuery);
  const options = useQuery(accountOptionsQuery);
  const balanceHint = useBalanceHint();
  const { group, quota } = form.values;
  const ratios = parseRatios(options.data?.groupRatio ?? "", OPTION_RATIOS).entries;
  const labelOf = (name: string) => {
    const ratio = ratios?.get(name) ?? 1;
    return ratio === 1 ? name : t("form.groupWithRatio", { group: name, ratio });
  };
  return (
    <FormSection title={t("form.rights")}>
      <ChoiceListInput
        label={t("columns.group")}
        description={t("form.groupHint")}
        placeholder={group.length === 0 ? "default" : ""}
        data={[...new Set([...(groups.data ?? []), ...group])].map((name) => ({ value: name, label: labelOf(name) }))}
        {...form.getInputProps("group")}
      />
      <QuotaInput
        label={t("columns.quota")}
        description={balanceHint(user.quota, quota)}
        {...form.getInputProps("quota")}
      />
    </FormSection>
  );
}

function LimitSections({ form }: Pick<FieldsProps, "form">) {
  const { t } = useTranslation("limits", "budgets");
  return (
    <FoldedSections>
      <FoldedSection
        title={t("budgets:title")}
        summary={t("budgets:noneSet")}
        opensItself={hasOwnValue(form, newUserValues(), ["budget_period", "budget_quota"])}
      >
        <BudgetFields period={form.getInputProps("budget_period")} quota={form.getInputProps("budget_quota")} />
      </FoldedSection>
      <FoldedSection
        title={t("titleOfUser")}
        description={t("ofUserHint")}
        summary={t("ofGroup")}
        opensItself={hasOwnValue(form, newUserValues(), LIMIT_FIELDS)}
      >
        <LimitFields fields={LIMIT_FIELDS} inputOf={(field) => form.getInputProps(field)} />
      </FoldedSection>
    </FoldedSections>
  );
}

/** Bindings of the account: only its owner can bind, administrators can unbind. */
function BoundIds({ user }: { user: ManagedUser }) {
  const { t } = useTranslation("users");
  const confirm = useConfirm();
  const clear = useClearBinding(user.id);
  const drop = async (binding: Binding, name: string) => {
    const confirmation = {
      title: t("form.unbindName", { name }),
      message: t("form.unbindMessage", { name, username: user.username }),
      confirmLabel: t("form.unbind"),
      tone: "danger",
    } as const;
    if (!(await confirm(confirmation))) return;
    clear.mutate(binding, { onSuccess: () => toastSuccess(t("form.unbound", { name })) });
  };
  const bound = [
    { binding: "email", label: t("form.email") },
    { binding: "github", label: "GitHub" },
    { binding: "wechat", label: t("form.wechat") },
    { binding: "lark", label: t("form.lark") },
    { binding: "oidc", label: "OpenID Connect" },
  ] as const;
  const valueOf = (binding: Binding, label: string) => {
    const value = user[BINDING_FIELDS[binding]];
    if (value === "") return t("form.notBound");
    return (
      <>
        {value} {user.outdated_bindings.includes(binding) && t("form.outdated")}{" "}
        <Button
          variant="subtle"
          color="danger"
          size="compact-sm"
          my="-2xs"
          aria-label={t("form.unbindName", { name: label })}
          onClick={() => void drop(binding, label)}
        >
          {t("form.unbind")}
        </Button>
      </>
    );
  };
  return (
    <SectionCard title={t("form.bound")} description={t("form.boundHint")}>
      <Facts facts={bound.map(({ binding, label }) => ({ label, value: valueOf(binding, label) }))} />
    </SectionCard>
  );
}

/** With what a new account starts, as one sentence; undefined until it is known. */
function useStart(isNew: boolean): string | undefined {
  const { t } = useTranslation("users");
  const format = useFormatQuota();
  const options = useQuery({ ...accountOptionsQuery, enabled: isNew });
  if (!isNew || options.data === undefined) return undefined;
  return t("form.starts", { amount: format(options.data.quotaForNewUser) });
}

export function UserForm({ user }: { user?: ManagedUser }) {
  const { t } = useTranslation("users");
  const navigate = useNavigate();
  const client = useQueryClient();
  const create = useCreateUser();
  const update = useUpdateUser();
  const isNew = user === undefined;
  const created = useRef<ManagedUser>(undefined);
  const form = useForm<UserValues>({
    initialValues: isNew ? newUserValues() : storedUserValues(user),
    validateInputOnBlur: ["password", "quota", ...LIMIT_FIELDS],
    validate: useUserProblems(user),
  });
  const start = useStart(isNew);
  const save = async (values: UserValues) => {
    if (user === undefined) return void (created.current = await create.mutateAsync(createUserPayload(values)));
    const stored = await client.fetchQuery({ ...userQuery(user.id), staleTime: 0 });
    return update.mutateAsync(updateUserPayload(mergeEdits(form, values, storedUserValues(stored), "quota"), stored));
  };
  const onSaved = () => {
    const id = created.current?.id;
    // Group and quota are in the form of the stored user, which follows.
    const setQuota = id !== undefined && {
      label: t("setQuota"),
      onSelect: () => void navigate({ to: "/user/edit/$id", params: { id } }),
    };
    if (setQuota) toastSuccess(t("created"), setQuota);
    else toastSuccess(t("saved"));
    void navigate({ to: "/user" });
  };
  return (
    <FormPage
      title={isNew ? t("addTitle") : t("editTitle")}
      {...(isNew ? { saveLabel: t("create") } : {})}
      {...(start === undefined ? {} : { outcome: start })}
      subject={user?.username}
      backPath="/user"
      backLabel={t("title")}
      form={form}
      save={save}
      onSaved={onSaved}
    >
      <AccountFields form={form} isNew={isNew} />
      {user !== undefined && <RightsFields form={form} user={user} />}
      {user !== undefined && <LimitSections form={form} />}
      {user !== undefined && <BoundIds user={user} />}
    </FormPage>
  );
}
