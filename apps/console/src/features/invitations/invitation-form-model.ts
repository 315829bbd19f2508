import type { FormErrors } from "@mantine/form";
import { type CreateInvitationsInput, createInvitationsInputSchema } from "@one-api/contract/accounts/invitation";
import { INVITATION_LIMITS } from "@one-api/contract/accounts/invitation-constants";
import { joinList } from "@one-api/contract/texts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { type ProblemTexts, useValidateForm } from "../../lib/validate-form.ts";
import { typedNumber } from "../../lib/values/typed-number.ts";

export interface InvitationValues {
  name: string;
  group: string[];
  quota: number | string;
  days: number | string;
  count: number | string;
}

export function invitationPayload({ name, group, quota, days, count }: InvitationValues): CreateInvitationsInput {
  return {
    name: name.trim(),
    group: joinList(group),
    quota: typedNumber(quota),
    days: typedNumber(days),
    count: typedNumber(count),
  };
}

export function useInvitationProblems(): (values: InvitationValues) => FormErrors {
  const { t } = useTranslation("invitations");
  const validate = useValidateForm();
  const texts: ProblemTexts<keyof InvitationValues> = {
    name: { missing: t("problems.name") },
    quota: { "wrong-type": t("problems.quota"), "too-small": t("problems.quota") },
    days: t("problems.number", { min: INVITATION_LIMITS.leastDays, max: INVITATION_LIMITS.days }),
    count: t("problems.number", { min: INVITATION_LIMITS.leastCount, max: INVITATION_LIMITS.count }),
  };
  return (values) => validate(createInvitationsInputSchema, invitationPayload(values), texts);
}
