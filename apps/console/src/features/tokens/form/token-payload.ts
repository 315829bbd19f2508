import { joinList } from "@one-api/contract/fields";
import { type CreateTokenInput, NEVER_EXPIRES, type Token, type UpdateTokenInput } from "@one-api/contract/token";
import { readExpiry } from "./expiry.ts";
import type { TokenValues } from "./token-values.ts";

function numberOf(value: number | string): number {
  return typeof value === "number" ? value : 0;
}

/** The fields that creating and editing share. */
function fieldsOf(values: TokenValues) {
  return {
    name: values.name.trim(),
    expired_time: readExpiry(values.expired_time) ?? NEVER_EXPIRES,
    unlimited_quota: values.unlimited_quota,
    models: joinList(values.models),
    subnet: joinList(values.subnet),
    rpm_limit: numberOf(values.rpm_limit),
    dpm_limit: numberOf(values.dpm_limit),
    tpm_limit: numberOf(values.tpm_limit),
    email: values.email.trim(),
    custom_contact: values.custom_contact.trim(),
    moderations_enable: values.moderations_enable,
  };
}

/** What creates the token, or the batch. */
export function createTokenPayload(values: TokenValues): CreateTokenInput {
  return {
    ...fieldsOf(values),
    remain_quota: numberOf(values.remain_quota),
    batch_number: numberOf(values.batch_number),
  };
}

/**
 * What saves a stored token. Its quota is named only when it was edited: requests go on spending it while the form is open, and what
 * they spent must not come back.
 */
export function updateTokenPayload(values: TokenValues, token: Token): UpdateTokenInput {
  const recharge = values.unlimited_quota ? 0 : numberOf(values.recharge_quota);
  const isQuotaEdited = typeof values.remain_quota === "number" && values.remain_quota !== token.remain_quota;
  return {
    id: token.id,
    ...fieldsOf(values),
    ...(isQuotaEdited ? { remain_quota: numberOf(values.remain_quota) } : {}),
    ...(recharge > 0 ? { recharge_quota: recharge } : {}),
  };
}
