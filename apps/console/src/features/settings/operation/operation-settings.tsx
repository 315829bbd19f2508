import { RATIO_KEYS } from "@one-api/contract/prices/ratios";
import { OptionTab } from "../option-tab.tsx";
import { OptionSectionCard } from "../system/option-section.tsx";
import type { SavedOptions } from "../system/system-options.ts";
import { LogClearing } from "./log-clearing.tsx";
import { OPERATION_SECTIONS, type OperationSection } from "./operation-options.ts";
import { PriceList } from "./price-list.tsx";
import { RatioSection } from "./ratios/ratio-section.tsx";
import { UpdateModels } from "./update-models.tsx";
import { useWantedOption } from "../wanted-option.ts";

function partsOf({ id }: OperationSection) {
  if (id === "channel") return { extra: <UpdateModels /> };
  if (id === "prices") return { children: <PriceList /> };
  return id === "log" ? { children: <LogClearing /> } : {};
}

/** The ratios, which a link to any of them leads to: their tables stand for the three options. */
function Ratios({ saved }: { saved: SavedOptions }) {
  const { box } = useWantedOption<HTMLDivElement>(RATIO_KEYS);
  return (
    <div ref={box}>
      <RatioSection saved={saved} />
    </div>
  );
}

export default function OperationSettings() {
  return (
    <OptionTab>
      {(saved) => (
        <>
          {OPERATION_SECTIONS.map((section) => (
            <OptionSectionCard key={section.id} section={section} saved={saved} {...partsOf(section)} />
          ))}
          <Ratios saved={saved} />
        </>
      )}
    </OptionTab>
  );
}
