import { type ReactNode, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { OptionTab } from "../option-tab.tsx";
import { OptionSectionCard } from "./option-section.tsx";
import { TestMail, TestMessage, TestProxy } from "./setting-tests.tsx";
import { type Draft, SYSTEM_SECTIONS } from "./system-options.ts";

/** What tries the saved settings of a section. */
const TESTS: Readonly<Partial<Record<string, ReactNode>>> = {
  general: <TestProxy />,
  smtp: <TestMail />,
  pusher: <TestMessage />,
};

/** What administrators set about how people come in and where the system stands. */
export default function SystemSettings() {
  const { t } = useTranslation("settings");
  const [smtpDraft, setSmtpDraft] = useState<Draft>({});
  const hasTypedToken = (smtpDraft["SMTPToken"] ?? "") !== "";
  return (
    <OptionTab>
      {(saved) =>
        SYSTEM_SECTIONS.map((section) => {
          const hasMail = saved.secrets.includes("SMTPToken") || hasTypedToken;
          const refuse = () => (hasMail ? undefined : t("whitelistNeedsSmtp"));
          return (
            <OptionSectionCard
              key={section.id}
              section={section}
              saved={saved}
              {...(section.id === "whitelist" ? { refuse } : {})}
              {...(section.id === "smtp" ? { onDraft: setSmtpDraft } : {})}
              extra={TESTS[section.id]}
            />
          );
        })
      }
    </OptionTab>
  );
}
