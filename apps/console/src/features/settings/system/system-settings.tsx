import { OPTION_DEFINITIONS } from "@one-api/contract/option";
import { type ReactNode, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { OptionTab } from "../option-tab.tsx";
import { OptionSectionCard } from "./option-section.tsx";
import { TestMail, TestMessage, TestProxy } from "./setting-tests.tsx";
import {
  changedOptions,
  type Draft,
  type SavedOptions,
  SYSTEM_SECTIONS,
  type SystemSection,
} from "./system-options.ts";

/** Options that mails need, and that are neither saved nor typed. */
function missingForMail(saved: SavedOptions, draft: Draft): string[] {
  const isSet = (key: string) => (draft[key] ?? saved.values[key] ?? "") !== "" || saved.secrets.includes(key);
  return OPTION_DEFINITIONS.EmailVerificationEnabled.needs.filter((key) => !isSet(key));
}

/** Mail settings with a test of the saved ones, which marks missing ones and asks to save typed ones. */
function MailSection({ section, saved, onDraft }: SectionProps & { onDraft(draft: Draft): void }) {
  const { t } = useTranslation("settings");
  const [draft, setDraft] = useState<Draft>({});
  const [marked, setMarked] = useState<readonly string[]>([]);
  const change = (next: Draft) => {
    setDraft(next);
    setMarked([]);
    onDraft(next);
  };
  const refuse = () => {
    const missing = missingForMail(saved, draft);
    setMarked(missing);
    if (missing.length > 0) return t("testMailNeeds");
    return changedOptions(section.fields, draft, saved).length > 0 ? t("testMailUnsaved") : undefined;
  };
  return (
    <OptionSectionCard
      section={section}
      saved={saved}
      onDraft={change}
      marked={{ keys: marked, text: t("neededForMail") }}
      extra={<TestMail refuse={refuse} />}
    />
  );
}

interface SectionProps {
  section: SystemSection;
  saved: SavedOptions;
}

const TESTS: Readonly<Partial<Record<string, ReactNode>>> = {
  general: <TestProxy />,
  pusher: <TestMessage />,
};

export default function SystemSettings() {
  const { t } = useTranslation("settings");
  const [smtpDraft, setSmtpDraft] = useState<Draft>({});
  const hasTypedToken = (smtpDraft["SMTPToken"] ?? "") !== "";
  return (
    <OptionTab>
      {(saved) =>
        SYSTEM_SECTIONS.map((section) => {
          if (section.id === "smtp")
            return <MailSection key={section.id} section={section} saved={saved} onDraft={setSmtpDraft} />;
          const hasMail = saved.secrets.includes("SMTPToken") || hasTypedToken;
          const refuse = () => (hasMail ? undefined : t("whitelistNeedsSmtp"));
          return (
            <OptionSectionCard
              key={section.id}
              section={section}
              saved={saved}
              {...(section.id === "whitelist" ? { refuse } : {})}
              extra={TESTS[section.id]}
            />
          );
        })
      }
    </OptionTab>
  );
}
