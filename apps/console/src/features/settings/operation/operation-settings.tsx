import { lazyPart } from "../../../lib/loading/later-part.ts";
import { OptionSectionCard } from "../form/option-section.tsx";
import { WithSavedOptions } from "../form/with-saved-options.tsx";
import { OPERATION_SECTIONS, type OperationSection } from "../fields/operation-options.ts";
import type { SavedOptions } from "../options/option-draft.ts";
import classes from "../settings-page.module.css";
import { RatioSection } from "./ratios/ratio-section.tsx";
import { UpdateModels } from "./update-models.tsx";

const PriceList = lazyPart(() => import("./price-list.tsx"));
const RefusedModels = lazyPart(() => import("./refused-models.tsx"), ["dashboard"]);
const GroupBudgets = lazyPart(() => import("./group-budgets/group-budgets.tsx"), ["budgets"]);
const LogClearing = lazyPart(() => import("./log-clearing.tsx"));

function partsOf(id: OperationSection["id"], saved: SavedOptions) {
  if (id === "channel") return { actions: <UpdateModels /> };
  if (id === "prices") {
    const asks = saved.values["UnpricedModels"] === "ask";
    return {
      children: (
        <>
          {asks && <RefusedModels saved={saved} />}
          <PriceList />
        </>
      ),
    };
  }
  return id === "log" ? { children: <LogClearing /> } : {};
}

export default function OperationSettings({ section: wanted }: { section: string }) {
  const section = OPERATION_SECTIONS.find(({ id }) => id === wanted);
  return (
    <WithSavedOptions>
      {(saved) =>
        section === undefined ? (
          <RatioSection saved={saved} />
        ) : (
          <div className={classes.sections}>
            <OptionSectionCard section={section} saved={saved} {...partsOf(section.id, saved)} />
            {section.id === "limits" && <GroupBudgets />}
          </div>
        )
      }
    </WithSavedOptions>
  );
}
