import { Button } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { PopoverButton } from "../../../components/floating/popover-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { SavedOptions } from "../options/option-draft.ts";
import { useOptionChanges } from "../options/option-queries.ts";
import classes from "./option-origin.module.css";
import { OriginDetails } from "./origin-details.tsx";

interface OptionHistoriesProps<Key extends string> {
  keys: readonly Key[];
  labelOf(key: Key): string;
  saved: SavedOptions;
  /** Puts an earlier value into a draft that is reviewed before it is saved. */
  onValue(key: Key, value: string): void;
}

/** A button for the history of each option that was ever set, where one table shows several options. */
export function OptionHistories<Key extends string>({ keys, labelOf, saved, onValue }: OptionHistoriesProps<Key>) {
  const { t } = useTranslation("settings");
  const { data: changes = [] } = useOptionChanges();
  const set = keys.filter((key) => changes.some((change) => change.key === key));
  if (set.length === 0) return null;
  return (
    <div className={classes.histories}>
      {set.map((key) => (
        <PopoverButton
          key={key}
          width={320}
          position="bottom-start"
          label={labelOf(key)}
          isQuestion
          renderButton={(button) => (
            <Button size="compact-sm" variant="subtle" leftSection={<IconHistory size={14} />} {...button}>
              {t("origin.historyOf", { field: labelOf(key) })}
            </Button>
          )}
        >
          {(close) => (
            <OriginDetails
              optionKey={key}
              label={labelOf(key)}
              saved={saved}
              onValue={(value) => onValue(key, value)}
              onDone={close}
            />
          )}
        </PopoverButton>
      ))}
    </div>
  );
}
