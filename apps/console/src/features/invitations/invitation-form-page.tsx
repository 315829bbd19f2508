import { NumberInput, TextInput } from "@mantine/core";
import { useForm, type UseFormReturnType } from "@mantine/form";
import { INVITATION_DEFAULTS, INVITATION_LIMITS } from "@one-api/contract/accounts/invitation-constants";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FormPage } from "../../components/form/form-page.tsx";
import { FormSection, FormWide } from "../../components/form/form-section.tsx";
import { ChoiceListInput } from "../../components/form/list-inputs.tsx";
import { QuotaInput } from "../../components/form/quota/quota-input.tsx";
import { useCopy } from "../../components/buttons/use-copy.ts";
import { formatDate } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { saveTextFile } from "../../lib/browser/save-text-file.ts";
import { groupsQuery } from "../channels/channel-queries.ts";
import { useFormatQuota } from "../../lib/use-format-quota.ts";
import { useOptions } from "../settings/options/option-queries.ts";
import { QuotaPresets } from "../tokens/form/quota-presets.tsx";
import { WhatItBuys } from "../tokens/form/what-it-buys.tsx";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { invitationPayload, type InvitationValues, useInvitationProblems } from "./invitation-form-model.ts";
import { useInvitationLink } from "./invitation-link.ts";
import { useCreateInvitations } from "./invitation-queries.ts";

const DAY_SECONDS = 86_400;

/** Makes invitations: the link of one is copied, those of several are saved as a text file. */
function useSave(): (values: InvitationValues) => Promise<void> {
  const { t } = useTranslation("invitations");
  const create = useCreateInvitations();
  const copy = useCopy();
  const linkOf = useInvitationLink();
  return async (values) => {
    const payload = invitationPayload(values);
    const codes = await create.mutateAsync(payload);
    const [first = "", ...others] = codes.map(linkOf);
    if (others.length === 0) return void (await copy(first, t("createdOne"), t("createdNotCopied")));
    saveTextFile(payload.name, `${[first, ...others].join("\n")}\n`);
    toastSuccess(t("created", { count: codes.length }));
  };
}

/** Balance with which the accounts start; the part that every new account gets is undefined until it is known. */
function useStartBalance({ quota }: InvitationValues) {
  const options = useOptions();
  const ofNewUsers = Number(options.data?.values["QuotaForNewUser"] ?? 0);
  const sum = ofNewUsers + (typeof quota === "number" ? quota : 0);
  return { sum, ofNewUsers: options.data === undefined ? undefined : ofNewUsers };
}

function QuotaField({ form }: { form: UseFormReturnType<InvitationValues> }) {
  const { t } = useTranslation("invitations");
  const format = useFormatQuota();
  const { quota } = form.values;
  const { sum, ofNewUsers } = useStartBalance(form.values);
  const startOf = (ofAll: number) => {
    if (sum === 0) return t("form.startsEmpty", { sum: format(sum) });
    return ofAll === 0
      ? t("form.starts", { sum: format(sum) })
      : t("form.startsWith", { sum: format(sum), amount: format(ofAll) });
  };
  const hint = ofNewUsers === undefined ? t("form.quotaHint") : startOf(ofNewUsers);
  return (
    <div>
      <QuotaInput label={t("columns.quota")} description={hint} {...form.getInputProps("quota")} />
      <QuotaPresets
        label={t("form.quotaPresets")}
        quota={quota}
        onChoose={(chosen) => form.setFieldValue("quota", chosen)}
      />
    </div>
  );
}

function InvitationFields({ form }: { form: UseFormReturnType<InvitationValues> }) {
  const { t } = useTranslation("invitations");
  const groups = useQuery(groupsQuery);
  return (
    <FormSection>
      <FormWide>
        <TextInput
          label={t("form.name")}
          description={t("form.nameHint")}
          withAsterisk
          maxLength={INVITATION_LIMITS.nameLength}
          {...form.getInputProps("name")}
        />
      </FormWide>
      <ChoiceListInput
        label={t("columns.group")}
        description={t("form.groupHint")}
        data={groups.data ?? []}
        placeholder={form.values.group.length === 0 ? "default" : ""}
        {...form.getInputProps("group")}
      />
      <QuotaField form={form} />
      <NumberInput
        label={t("form.days")}
        description={t("form.daysHint")}
        allowDecimal={false}
        min={INVITATION_LIMITS.leastDays}
        max={INVITATION_LIMITS.days}
        {...form.getInputProps("days")}
      />
      <NumberInput
        label={t("form.count")}
        description={t("form.countHint")}
        allowDecimal={false}
        min={INVITATION_LIMITS.leastCount}
        max={INVITATION_LIMITS.count}
        {...form.getInputProps("count")}
      />
    </FormSection>
  );
}

const endOf = ({ days }: InvitationValues) => Math.floor(Date.now() / 1_000) + Number(days) * DAY_SECONDS;

/** What a press creates, as one sentence. */
function useOutcome(): (values: InvitationValues) => string {
  const { t } = useTranslation("invitations");
  return (values) => {
    const { count, group } = values;
    const groups = group.join(", ") || "default";
    return t("form.outcome", { count: Number(count), end: formatDate(endOf(values)), group: groups });
  };
}

/** What the balance of each invited person buys; the rest says the save bar. */
function InvitationAside({ values }: { values: InvitationValues }) {
  return <WhatItBuys quota={useStartBalance(values).sum} isForOthers />;
}

export default function InvitationFormPage() {
  const { t } = useTranslation("invitations");
  const navigate = useNavigate();
  const form = useForm<InvitationValues>({
    initialValues: { name: "", group: [], ...INVITATION_DEFAULTS },
    validateInputOnBlur: ["quota", "days", "count"],
    validate: useInvitationProblems(),
  });
  const outcomeOf = useOutcome();
  return (
    <FormPage
      title={t("addTitle")}
      saveLabel={t("create", { count: Number(form.values.count) })}
      outcome={outcomeOf(form.values)}
      aside={<InvitationAside values={form.values} />}
      backPath="/user/invitation"
      backLabel={t("title")}
      form={form}
      save={useSave()}
      onSaved={() => void navigate({ to: "/user/invitation" })}
    >
      <InvitationFields form={form} />
    </FormPage>
  );
}
