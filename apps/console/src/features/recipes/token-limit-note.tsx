import type { Token } from "@one-api/contract/token";
import { TextLink } from "../../components/text-link.tsx";
import { formatInteger } from "../../lib/format.ts";
import { useTranslation } from "../../lib/i18n/use-translation.ts";

/** Says what coding agents do at the token's limit of model tokens, and links to it. Empty where the token has none. */
export function TokenLimitNote({ token: { id, tpm_limit } }: { token: Pick<Token, "id" | "tpm_limit"> }) {
  const { t, language } = useTranslation("recipes");
  if (tpm_limit === 0) return null;
  return (
    <>
      {t("tokenLimit.text", { limit: formatInteger(tpm_limit * 1_000, language) })}{" "}
      <TextLink to="/token/edit/$id" params={{ id }} inherit underline="always">
        {t("tokenLimit.change")}
      </TextLink>
    </>
  );
}
