import { UnstyledButton } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { PopoverButton } from "../../../components/floating/popover-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { SavedOptions } from "../options/option-draft.ts";
import { useOptionChanges } from "../options/option-queries.ts";
import type { SectionField } from "../fields/shown-section.ts";
import { useWantedOption } from "../options/use-wanted-option.ts";
import classes from "./option-origin.module.css";
import { OriginDetails, type OriginProps } from "./origin-details.tsx";

/** Normalizes ratios for comparison; other values and invalid JSON do not change. */
function plain(value: string): string {
  if (!value.startsWith("{")) return value;
  try {
    const ratios: unknown = JSON.parse(value);
    return JSON.stringify(Object.entries(ratios ?? {}).toSorted(([left], [right]) => (left < right ? -1 : 1)));
  } catch {
    return value;
  }
}

function isModified(key: string, { values, defaults }: SavedOptions): boolean {
  const [preset, value] = [defaults[key], values[key]];
  return preset !== undefined && value !== undefined && plain(value) !== plain(preset);
}

const WIDE_KINDS: ReadonlySet<SectionField["kind"] | undefined> = new Set([
  "page",
  "list",
  "limits",
  "aliases",
] as const);

/** Mark beside an option's label: differs from its default, is a secret that is set, or has been changed before. */
function useMark(key: string, saved: SavedOptions): "secret" | "changed" | "history" | undefined {
  const { data: changes } = useOptionChanges();
  if (saved.secrets.includes(key)) return "secret";
  if (isModified(key, saved)) return "changed";
  return changes?.some((change) => change.key === key) === true ? "history" : undefined;
}

/** An option's input with a mark that opens its default and its history, once it was changed. */
export function WithOrigin({ children, ...origin }: OriginProps & { children: ReactNode }) {
  const { t } = useTranslation("settings");
  const { optionKey, label, saved, field } = origin;
  const mark = useMark(optionKey, saved);
  const { box, isWanted } = useWantedOption<HTMLDivElement>(optionKey);
  // Wraps every input, with or without a mark: moving an input would lose its focus and text.
  return (
    <div ref={box} className={classes.option} data-wide={WIDE_KINDS.has(field?.kind)} data-wanted={isWanted}>
      {children}
      {mark !== undefined && (
        <span className={classes.mark}>
          <PopoverButton
            width={320}
            position="bottom-end"
            label={label}
            isQuestion
            renderButton={(button) => (
              <UnstyledButton
                className={classes.button ?? ""}
                data-mark={mark}
                aria-label={t(`origin.${mark}Of`, { field: label })}
                {...(mark === "history" && { "data-tip": t("origin.history") })}
                {...button}
              >
                {mark === "history" ? <IconHistory size={14} /> : t(`origin.${mark}`)}
              </UnstyledButton>
            )}
          >
            {(close) => <OriginDetails {...origin} onDone={close} />}
          </PopoverButton>
        </span>
      )}
    </div>
  );
}
