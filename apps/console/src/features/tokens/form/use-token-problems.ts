import type { FormErrors } from "@mantine/form";
import { MAX_TOKEN_BATCH } from "@one-api/contract/token";
import { useTranslation } from "react-i18next";
import type { TokenValues } from "./token-values.ts";
import { validateToken, wrongNetwork } from "./validate-token.ts";

/** Returns the validation of the form, in the language of the console. */
export function useTokenProblems(): (values: TokenValues) => FormErrors {
  const { t } = useTranslation("tokens");
  return (values) => {
    const details = { network: wrongNetwork(values.subnet) ?? "", max: MAX_TOKEN_BATCH };
    const problems = Object.entries(validateToken(values));
    return Object.fromEntries(problems.map(([field, problem]) => [field, t(`problems.${problem}`, details)]));
  };
}
