import { useForm } from "@mantine/form";
import { FURTHER_LIMITS } from "@one-api/contract/limits/limit-constants";
import type { Token } from "@one-api/contract/token";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { FormPage } from "../../../components/form/form-page.tsx";
import { AsideSection } from "../../../components/form/parts/aside-section.tsx";
import { FormSection, FormWide } from "../../../components/form/form-section.tsx";
import { mergeEdits } from "../../../components/form/merge-edits.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import { TokenLimitUse } from "../../limits/limit-use-card.tsx";
import { KeySection } from "../key/key-section.tsx";
import { useCreateToken, useUpdateToken } from "../token-mutations.ts";
import { tokenQuery } from "../token-queries.ts";
import { AdvancedSections, NameField } from "./token-form-sections.tsx";
import { ExpiryField } from "./expiry-field.tsx";
import { OtherTokens } from "./other-tokens.tsx";
import { QuotaFields } from "./quota-fields.tsx";
import { WhatItBuys } from "./what-it-buys.tsx";
import { useTokenSummary } from "./token-summary.ts";
import {
  createTokenPayload,
  newTokenValues,
  storedTokenValues,
  type TokenFormState,
  type TokenValues,
  updateTokenPayload,
  useTokenProblems,
} from "./token-form-model.ts";

/** Not the name: it is empty until it is filled in, and leaving it that way for another field is no slip. */
const FIELDS_CHECKED_ON_LEAVING = [
  "expired_time",
  "email",
  "subnet",
  "remain_quota",
  "rpm_limit",
  "dpm_limit",
  "tpm_limit",
  ...FURTHER_LIMITS,
];

function LimitUseSection({ tokenId }: { tokenId: number }) {
  const { t } = useTranslation("limits");
  return (
    <AsideSection title={t("now")}>
      <TokenLimitUse tokenId={tokenId} />
    </AsideSection>
  );
}

function Beside({ form: { values }, token }: { form: TokenFormState; token: Token | undefined }) {
  const { unlimited_quota: isUnlimited, remain_quota: quota, models } = values;
  return (
    <>
      {token !== undefined && <LimitUseSection tokenId={token.id} />}
      {!isUnlimited && typeof quota === "number" && <WhatItBuys quota={quota} models={models} />}
      {token === undefined && <OtherTokens />}
    </>
  );
}

/** Name, quota and expiry: all that a new token needs. */
function BasicSections({ form, token }: { form: TokenFormState; token: Token | undefined }) {
  const { t } = useTranslation("tokens");
  const isNew = token === undefined;
  const name = (
    <FormWide>
      <NameField form={form} />
    </FormWide>
  );
  const amounts = (
    <>
      <QuotaFields form={form} isNew={isNew} />
      <ExpiryField form={form} isNew={isNew} />
    </>
  );
  if (isNew) {
    return (
      <FormSection>
        {name}
        {amounts}
      </FormSection>
    );
  }
  return (
    <>
      <FormSection title={t("form.general")}>{name}</FormSection>
      <KeySection token={token} />
      <FormSection title={t("form.quotaAndExpiry")} description={t("form.quotaAndExpiryHint")}>
        {amounts}
      </FormSection>
    </>
  );
}

export function TokenForm({ token }: { token?: Token }) {
  const { t } = useTranslation("tokens");
  const navigate = useNavigate();
  const client = useQueryClient();
  const create = useCreateToken();
  const update = useUpdateToken();
  const summaryOf = useTokenSummary();
  const isNew = token === undefined;
  const form = useForm<TokenValues>({
    initialValues: isNew ? newTokenValues() : storedTokenValues(token),
    validateInputOnBlur: FIELDS_CHECKED_ON_LEAVING,
    validate: useTokenProblems(token),
  });
  const save = async (values: TokenValues) => {
    if (token === undefined) return create.mutateAsync(createTokenPayload(values));
    const stored = await client.fetchQuery({ ...tokenQuery(token.id), staleTime: 0 });
    const merged = mergeEdits(form, values, storedTokenValues(stored), "remain_quota");
    return update.mutateAsync(updateTokenPayload(merged, stored));
  };
  const onSaved = () => {
    toastSuccess(isNew ? t("created", { count: Number(form.values.batch_number) }) : t("saved"));
    void navigate({ to: "/token" });
  };
  return (
    <FormPage
      title={isNew ? t("addTitle") : t("editTitle")}
      {...(isNew ? { saveLabel: t("create") } : {})}
      subject={isNew ? undefined : token.name}
      outcome={summaryOf(form.values)}
      aside={<Beside form={form} token={token} />}
      backPath="/token"
      backLabel={t("title")}
      form={form}
      save={save}
      onSaved={onSaved}
    >
      <BasicSections form={form} token={token} />
      <AdvancedSections form={form} isNew={isNew} />
    </FormPage>
  );
}
