import { OptionTab } from "../option-tab.tsx";
import { OptionSectionCard } from "../system/option-section.tsx";
import { OTHER_SECTIONS } from "./other-options.ts";
import { UpdateCheck } from "./update-check.tsx";

export default function OtherSettings() {
  return (
    <OptionTab>
      {(saved) =>
        OTHER_SECTIONS.map((section) => (
          <OptionSectionCard
            key={section.id}
            section={section}
            saved={saved}
            {...(section.id === "update" ? { extra: <UpdateCheck /> } : {})}
          />
        ))
      }
    </OptionTab>
  );
}
