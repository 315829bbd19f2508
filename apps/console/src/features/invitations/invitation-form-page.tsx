import { NumberInput, TextInput } from "@mantine/core";
import { type FormErrors, useForm, type UseFormReturnType } from "@mantine/form";
import { INVITATION_DEFAULTS, INVITATION_LIMITS } from "@one-api/contract/accounts/invitation";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { FormPage } from "../../components/form/form-page.tsx";
import { FormSection, FormWide } from "../../components/form/form-section.tsx";
import { ChoiceListInput } from "../../components/form/list-inputs.tsx";
import { QuotaInput } from "../../components/form/quota-input.tsx";
import { useCopy } from "../../components/buttons/use-copy.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { saveTextFile } from "../../lib/browser/save-text-file.ts";
import { groupsQuery } from "../channels/channel-queries.ts";
import { toastSuccess } from "../../lib/toasts/toasts.ts";
import { useInvitationLink } from "./invitation-link.ts";
import { useCreateInvitations } from "./invitation-queries.ts";

interface InvitationValues {
  name: string;
  group: string[];
  quota: number | string;
  days: number | string;
  count: number | string;
}

function isWhole(value: number | string, least: number, most: number): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= least && value <= most;
}

function useProblems(): (values: InvitationValues) => FormErrors {
  const { t } = useTranslation("invitations");
  const { days: mostDays, count: mostAtOnce } = INVITATION_LIMITS;
  return ({ name, quota, days, count }) => ({
    ...(name.trim() === "" ? { name: t("problems.name") } : {}),
    ...(isWhole(quota, 0, Number.MAX_SAFE_INTEGER) ? {} : { quota: t("problems.quota") }),
    ...(isWhole(days, 1, mostDays) ? {} : { days: t("problems.number", { max: mostDays }) }),
    ...(isWhole(count, 1, mostAtOnce) ? {} : { count: t("problems.number", { max: mostAtOnce }) }),
  });
}

/** Makes invitations: the link of one is copied, those of several are saved as a text file. */
function useSave(): (values: InvitationValues) => Promise<void> {
  const { t } = useTranslation("invitations");
  const create = useCreateInvitations();
  const copy = useCopy();
  const linkOf = useInvitationLink();
  return async ({ name, group, quota, days, count }) => {
    const codes = await create.mutateAsync({
      name: name.trim(),
      group: group.join(","),
      quota: Number(quota),
      days: Number(days),
      count: Number(count),
    });
    const [first = "", ...others] = codes.map(linkOf);
    if (others.length === 0) return void (await copy(first, t("createdOne"), t("createdNotCopied")));
    saveTextFile(name.trim(), `${[first, ...others].join("\n")}\n`);
    toastSuccess(t("created", { count: codes.length }));
  };
}

function InvitationFields({ form }: { form: UseFormReturnType<InvitationValues> }) {
  const { t } = useTranslation("invitations");
  const groups = useQuery(groupsQuery);
  const whole = { allowDecimal: false, min: 1 } as const;
  return (
    <FormSection title={t("form.section")}>
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
        {...form.getInputProps("group")}
      />
      <QuotaInput label={t("columns.quota")} description={t("form.quotaHint")} {...form.getInputProps("quota")} />
      <NumberInput
        label={t("form.days")}
        description={t("form.daysHint")}
        max={INVITATION_LIMITS.days}
        {...whole}
        {...form.getInputProps("days")}
      />
      <NumberInput
        label={t("form.count")}
        description={t("form.countHint")}
        max={INVITATION_LIMITS.count}
        {...whole}
        {...form.getInputProps("count")}
      />
    </FormSection>
  );
}

export default function InvitationFormPage() {
  const { t } = useTranslation("invitations");
  const navigate = useNavigate();
  const form = useForm<InvitationValues>({
    initialValues: { name: "", group: [], ...INVITATION_DEFAULTS },
    validateInputOnBlur: ["quota", "days", "count"],
    validate: useProblems(),
  });
  return (
    <FormPage
      title={t("addTitle")}
      backPath="/user/invitation"
      form={form}
      save={useSave()}
      onSaved={() => void navigate({ to: "/user/invitation" })}
    >
      <InvitationFields form={form} />
    </FormPage>
  );
}
