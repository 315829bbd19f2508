import { OPTION_DEFINITIONS } from "@one-api/contract/options/option-definitions";
import { useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { useIsRoot } from "../../../lib/state/session.ts";
import { changedOptions, type Draft, type OptionChange, type SavedOptions } from "../options/option-draft.ts";
import { OptionSectionCard } from "../form/option-section.tsx";
import { TestMail } from "./setting-tests.tsx";
import type { SystemSection } from "../fields/system-options.ts";

/** Options that emails need, and that are neither saved nor typed. */
function missingForMail(saved: SavedOptions, draft: Draft): string[] {
  const isSet = (key: string) => (draft[key] ?? saved.values[key] ?? "") !== "" || saved.secrets.includes(key);
  return OPTION_DEFINITIONS.EmailVerificationEnabled.needs.filter((key) => !isSet(key));
}

interface MailSectionProps {
  section: SystemSection;
  saved: SavedOptions;
}

/** Email settings with a test of the saved ones, which marks missing ones and asks to save typed ones. */
export function MailSection({ section, saved }: MailSectionProps) {
  const { t } = useTranslation("settings");
  const isRoot = useIsRoot();
  const [draft, setDraft] = useState<Draft>({});
  const [marked, setMarked] = useState<readonly string[]>([]);
  const change = (next: Draft) => {
    setDraft(next);
    setMarked([]);
  };
  const refuseDomains = (changes: readonly OptionChange[]) => {
    const hasMail = saved.secrets.includes("SMTPToken") || changes.some(({ key }) => key === "SMTPToken");
    return hasMail || !changes.some(({ key }) => key === "EmailDomainWhitelist") ? undefined : t("whitelistNeedsSmtp");
  };
  const refuseTest = () => {
    const missing = missingForMail(saved, draft);
    setMarked(missing);
    if (missing.length > 0) return t("testMailNeeds");
    return changedOptions(section.fields, draft, saved).length > 0 ? t("testMailUnsaved") : undefined;
  };
  return (
    <OptionSectionCard
      section={section}
      saved={saved}
      refuse={refuseDomains}
      onDraft={change}
      marked={{ keys: marked, text: t("neededForMail") }}
      actions={isRoot ? <TestMail refuse={refuseTest} /> : undefined}
    />
  );
}
