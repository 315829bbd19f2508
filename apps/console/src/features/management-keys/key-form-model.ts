import type { FormErrors } from "@mantine/form";
import {
  type CreateManagementKeyInput,
  createManagementKeyInputSchema,
  type ManagementKey,
  type UpdateManagementKeyInput,
  updateManagementKeyInputSchema,
} from "@one-api/contract/accounts/management-key";
import {
  KEY_AREAS,
  KEY_VALIDITIES,
  type KeyArea,
  type KeyScope,
} from "@one-api/contract/accounts/management-key-constants";
import { hasScope } from "@one-api/contract/accounts/management-key-scopes";
import { NEVER_EXPIRES } from "@one-api/contract/token-constants";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { type ProblemTexts, useValidateForm } from "../../lib/validate-form.ts";

const DAY_SECONDS = 86_400;

export type AreaRight = "none" | "read" | "write";

export interface KeyValues {
  name: string;
  rights: Record<KeyArea, AreaRight>;
  networks: string[];
  /** One of KEY_VALIDITIES from now on, or `STORED_END`. */
  days: number;
}

/** Choice of a stored key: its expiry stays. */
export const STORED_END = -1;

const NO_RIGHTS: Record<KeyArea, AreaRight> = {
  channels: "none",
  models: "none",
  options: "none",
  configuration: "none",
  tokens: "none",
  users: "none",
  invitations: "none",
  redemptions: "none",
  notifications: "none",
  logs: "none",
  bodies: "none",
  usage: "none",
  audit: "none",
  system: "none",
};

export function newKeyValues(): KeyValues {
  const [, quarter] = KEY_VALIDITIES;
  return { name: "", rights: { ...NO_RIGHTS }, networks: [], days: quarter };
}

export function storedKeyValues({ name, scopes, networks }: ManagementKey): KeyValues {
  const rights = { ...NO_RIGHTS };
  for (const area of KEY_AREAS) {
    if (hasScope(scopes, `${area}:read`)) rights[area] = "read";
    if (scopes.some((scope) => scope === `${area}:write`)) rights[area] = "write";
  }
  return { name, rights, networks: [...networks], days: STORED_END };
}

/** Returns the input that changes the key. `now` in Unix seconds. */
export function keyChanges(values: KeyValues, now: number): UpdateManagementKeyInput {
  const { expires_at, ...fields } = keyPayload(values, now);
  return values.days === STORED_END ? fields : { ...fields, expires_at };
}

/** Returns the input that creates the key. `now` in Unix seconds. */
export function keyPayload({ name, rights, networks, days }: KeyValues, now: number): CreateManagementKeyInput {
  const scopes = KEY_AREAS.flatMap((area): KeyScope[] => {
    const right = rights[area];
    return right === "none" ? [] : [`${area}:${right}`];
  });
  return { name: name.trim(), scopes, networks, expires_at: days === 0 ? NEVER_EXPIRES : now + days * DAY_SECONDS };
}

export function useKeyProblems(isNew: boolean): (values: KeyValues) => FormErrors {
  const { t } = useTranslation("management-keys");
  const validate = useValidateForm();
  const texts: ProblemTexts<"name" | "scopes"> = {
    name: { missing: t("problems.name") },
    scopes: { "too-short": t("problems.scopes") },
  };
  return (values) => {
    const now = Math.floor(Date.now() / 1_000);
    const found = Object.entries(
      isNew
        ? validate(createManagementKeyInputSchema, keyPayload(values, now), texts)
        : validate(updateManagementKeyInputSchema, keyChanges(values, now), texts),
    );
    // The field of the networks has one message for all of its entries.
    return Object.fromEntries(
      found.map(([field, text]) =>
        field.startsWith("networks") ? (["networks", t("problems.networks")] as const) : ([field, text] as const),
      ),
    );
  };
}
