import type { FormErrors } from "@mantine/form";
import type { Schema } from "@one-api/contract/call";
import {
  type CreateRedemptionsInput,
  createRedemptionsInputSchema,
  type Redemption,
  updateRedemptionInputSchema,
} from "@one-api/contract/redemption";
import { REDEMPTION_LIMITS } from "@one-api/contract/redemption-constants";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { type ProblemTexts, useValidateForm } from "../../lib/validate-form.ts";
import { typedNumber } from "../../lib/values/typed-number.ts";

export interface RedemptionValues {
  name: string;
  quota: number | string;
  count: number | string;
}

/** Returns the input that creates codes. A stored code is saved without `count`. */
export function redemptionPayload({ name, quota, count }: RedemptionValues): Required<CreateRedemptionsInput> {
  return { name: name.trim(), quota: typedNumber(quota), count: typedNumber(count) };
}

function redemptionInput(
  values: RedemptionValues,
  redemption: Redemption | undefined,
): { schema: Schema; input: unknown } {
  const { name, quota, count } = redemptionPayload(values);
  return redemption === undefined
    ? { schema: createRedemptionsInputSchema, input: { name, quota, count } }
    : { schema: updateRedemptionInputSchema, input: { id: redemption.id, name, quota } };
}

export function useRedemptionProblems(redemption: Redemption | undefined): (values: RedemptionValues) => FormErrors {
  const { t } = useTranslation("redemptions");
  const validate = useValidateForm();
  const texts: ProblemTexts<keyof RedemptionValues> = {
    name: { missing: t("problems.name") },
    quota: { "wrong-type": t("problems.quota"), "too-small": t("problems.quota") },
    count: t("problems.count", { min: REDEMPTION_LIMITS.leastCount, max: REDEMPTION_LIMITS.count }),
  };
  return (values) => {
    const { schema, input } = redemptionInput(values, redemption);
    return validate(schema, input, texts);
  };
}
