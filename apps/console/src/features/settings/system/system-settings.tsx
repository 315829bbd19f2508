import type { ReactNode } from "react";
import { OptionSectionCard } from "../form/option-section.tsx";
import { WithSavedOptions } from "../form/with-saved-options.tsx";
import { MailSection } from "./mail-section.tsx";
import { TestMessage, TestProxy } from "./setting-tests.tsx";
import { SYSTEM_SECTIONS, type SystemSection } from "../fields/system-options.ts";

const TESTS: Readonly<Partial<Record<SystemSection["id"], ReactNode>>> = {
  server: <TestProxy />,
  pusher: <TestMessage />,
};

export default function SystemSettings({ section: wanted }: { section: string }) {
  const section = SYSTEM_SECTIONS.find(({ id }) => id === wanted) ?? SYSTEM_SECTIONS[0];
  return (
    <WithSavedOptions>
      {(saved) =>
        section.id === "smtp" ? (
          <MailSection section={section} saved={saved} />
        ) : (
          <OptionSectionCard section={section} saved={saved} actions={TESTS[section.id]} />
        )
      }
    </WithSavedOptions>
  );
}
