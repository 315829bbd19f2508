import { useConfirm } from "../../../components/dialogs/confirm.tsx";
import type { Confirmation } from "../../../components/dialogs/confirmation.ts";
import { callApi } from "../../../lib/api/api-client.ts";
import { formatInteger, formatNumber, formatQuota } from "../../../lib/format.ts";
import type { Translate } from "../../../lib/i18n/text-keys.ts";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { OptionChange, SavedOptions } from "./option-draft.ts";

/** Options with a provider's address: bindings at one address are invalid at another. */
const PROVIDERS = [
  { address: "GitHubAddress", name: "GitHub" },
  { address: "LarkAddress", name: "Lark" },
  { address: "WeChatServerAddress", name: "WeChat" },
  { address: "OidcIssuer", name: "OpenID Connect" },
] as const;

/** A failed check does not block saving: the save itself then fails with the reason. */
const unlessRefused = <Data>(call: Promise<Data>) => call.catch(() => undefined);

/** Example balance, in dollars, for the question about the worth of quota. */
const EXAMPLE_DOLLARS = 10;

/** Question before a change of the worth of all balances; undefined without such a change. */
function questionAboutWorth(
  before: number,
  after: number,
  { t, language }: { t: Translate<"settings">; language: string },
): Confirmation | undefined {
  if (!(before > 0) || before === after) return undefined;
  const quota = Math.round(before * EXAMPLE_DOLLARS);
  return {
    title: t("quotaPerUnitChanged.title"),
    message: t("quotaPerUnitChanged.message", {
      before: formatNumber(before, language),
      after: formatNumber(after, language),
      quota: formatInteger(quota, language),
      dollars: formatQuota(quota, { displayInCurrency: true, quotaPerUnit: after }),
    }),
    confirmLabel: t("quotaPerUnitChanged.confirm"),
    tone: "danger",
  };
}

/** Returns the questions before saving options that lock users out or change balances; false if one is declined. */
export function useConfirmOptions(saved: SavedOptions): (changes: readonly OptionChange[]) => Promise<boolean> {
  const { t, language } = useTranslation("settings");
  const confirm = useConfirm();
  const questionAbout = async ({ key, value }: OptionChange): Promise<Confirmation | undefined> => {
    if (key === "PasswordLoginEnabled" && value === "false")
      return {
        title: t("passwordLoginOff.title"),
        message: t("passwordLoginOff.message"),
        confirmLabel: t("passwordLoginOff.confirm"),
        tone: "danger",
      };
    if (key === "QuotaPerUnit") return questionAboutWorth(Number(saved.values[key]), Number(value), { t, language });
    if (key === "AdminSecondFactorEnabled" && value === "true") {
      const own = await unlessRefused(callApi("GET /api/user/factors"));
      if (own === undefined || own.proof.includes("factor")) return undefined;
      return {
        title: t("ownFactorMissing.title"),
        message: t("ownFactorMissing.message"),
        confirmLabel: t("ownFactorMissing.confirm"),
        tone: "danger",
      };
    }
    const provider = PROVIDERS.find(({ address }) => address === key);
    if (provider === undefined) return undefined;
    const counts = await unlessRefused(callApi("GET /api/option/bindings"));
    const count = counts?.[provider.address] ?? 0;
    if (count === 0) return undefined;
    const { name } = provider;
    return {
      title: t("bindingsLost.title", { name }),
      message: t("bindingsLost.message", { count, name }),
      confirmLabel: t("bindingsLost.confirm"),
      tone: "danger",
    };
  };
  return async (changes) => {
    for (const change of changes) {
      const question = await questionAbout(change);
      if (question !== undefined && !(await confirm(question))) return false;
    }
    return true;
  };
}
