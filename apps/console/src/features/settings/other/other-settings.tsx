import { OptionSectionCard } from "../form/option-section.tsx";
import { WithSavedOptions } from "../form/with-saved-options.tsx";
import { OTHER_SECTIONS } from "../fields/other-options.ts";
import { UpdateCheck } from "./update-check.tsx";

export default function OtherSettings({ section: wanted }: { section: string }) {
  const section = OTHER_SECTIONS.find(({ id }) => id === wanted) ?? OTHER_SECTIONS[0];
  return (
    <WithSavedOptions>
      {(saved) => (
        <OptionSectionCard
          section={section}
          saved={saved}
          {...(section.id === "update" ? { actions: <UpdateCheck /> } : {})}
        />
      )}
    </WithSavedOptions>
  );
}
