import type { UseFormReturnType } from "@mantine/form";
import { splitList } from "@one-api/contract/fields";
import { type Token, TOKEN_DEFAULTS } from "@one-api/contract/token";
import { expiryAfter, expiryText } from "./expiry.ts";

/** What the token form edits. Number fields hold a text while they are empty. */
export interface TokenValues {
  name: string;
  /** How many tokens are created. */
  batch_number: number | string;
  remain_quota: number | string;
  unlimited_quota: boolean;
  /** Dollars that are added to a stored token. */
  recharge_quota: number | string;
  /** `YYYY-MM-DD HH:MM:SS` in the viewer's zone; empty for never. */
  expired_time: string;
  rpm_limit: number | string;
  dpm_limit: number | string;
  tpm_limit: number | string;
  models: string[];
  subnet: string[];
  email: string;
  custom_contact: string;
  moderations_enable: boolean;
}

/** The form's state, as its sections take it. */
export type TokenFormState = UseFormReturnType<TokenValues>;

/** Values of the form for a new token. */
export function newTokenValues(): TokenValues {
  return {
    name: "",
    batch_number: 1,
    remain_quota: TOKEN_DEFAULTS.remain_quota,
    unlimited_quota: false,
    recharge_quota: "",
    expired_time: expiryAfter(TOKEN_DEFAULTS.validSeconds),
    rpm_limit: TOKEN_DEFAULTS.rpm_limit,
    dpm_limit: TOKEN_DEFAULTS.dpm_limit,
    tpm_limit: TOKEN_DEFAULTS.tpm_limit,
    models: [],
    subnet: [],
    email: "",
    custom_contact: "",
    moderations_enable: false,
  };
}

/** Values of the form for a stored token. */
export function storedTokenValues(token: Token): TokenValues {
  const {
    name,
    remain_quota,
    unlimited_quota,
    rpm_limit,
    dpm_limit,
    tpm_limit,
    email,
    custom_contact,
    moderations_enable,
  } = token;
  return {
    ...newTokenValues(),
    name,
    remain_quota,
    unlimited_quota,
    rpm_limit,
    dpm_limit,
    tpm_limit,
    email,
    custom_contact,
    moderations_enable,
    expired_time: expiryText(token.expired_time),
    models: splitList(token.models),
    subnet: splitList(token.subnet),
  };
}
