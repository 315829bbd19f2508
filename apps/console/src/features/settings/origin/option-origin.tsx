import { ActionIcon } from "@mantine/core";
import { IconPointFilled } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { PopoverButton } from "../../../components/floating/popover-button.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { SavedOptions } from "../system/system-options.ts";
import { useWantedOption } from "../wanted-option.ts";
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

/** True for a secret that is set, and for an option that is saved with another value than its default. */
function isSetOtherwise(key: string, { values, secrets, defaults }: SavedOptions): boolean {
  if (secrets.includes(key)) return true;
  const [preset, value] = [defaults[key], values[key]];
  return preset !== undefined && value !== undefined && plain(value) !== plain(preset);
}

/** An option's input, with a small mark beside its label while it differs from its default: that says what it was, and who changed it. */
export function WithOrigin({ children, ...origin }: OriginProps & { children: ReactNode }) {
  const { t } = useTranslation("settings");
  const { optionKey, label, saved, field } = origin;
  const isSecret = saved.secrets.includes(optionKey);
  const { box, isWanted } = useWantedOption<HTMLDivElement>([optionKey]);
  // Wraps every input, with or without a mark: moving an input would lose its focus and text.
  return (
    <div
      ref={box}
      className={classes.option}
      data-wide={field?.kind === "page" || field?.kind === "list" || field?.kind === "json"}
      data-wanted={isWanted}
    >
      {children}
      {isSetOtherwise(optionKey, saved) && (
        <span className={classes.mark}>
          <PopoverButton
            width={300}
            position="bottom-end"
            label={label}
            isQuestion
            renderButton={(button) => (
              <ActionIcon
                size={24}
                className={classes.button ?? ""}
                aria-label={t(isSecret ? "origin.secretOf" : "origin.changedOf", { field: label })}
                data-tip={t(isSecret ? "origin.secret" : "origin.changed")}
                {...button}
              >
                <IconPointFilled size={14} />
              </ActionIcon>
            )}
          >
            {(close) => <OriginDetails {...origin} onDone={close} />}
          </PopoverButton>
        </span>
      )}
    </div>
  );
}
