import { Input, Switch } from "@mantine/core";
import { useId } from "react";
import { ErrorAlert } from "../../../components/boxes/error-alert.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { toastSuccess } from "../../../lib/toasts/toasts.ts";
import type { SavedOptions } from "../options/option-draft.ts";
import { hintOf } from "../options/option-hints.ts";
import { WithOrigin } from "../origin/option-origin.tsx";
import { useSaveOptions } from "../options/option-queries.ts";
import classes from "../options/options.module.css";
import type { Section } from "../fields/shown-section.ts";
import { useConfirmOptions } from "../options/use-confirm-options.ts";

type SwitchKey = Section["switches"][number];

interface OptionSwitchProps {
  label: string;
  hint: string | undefined;
  isOn: boolean;
  isDisabled: boolean;
  onFlip(isOn: boolean): void;
}

/** A switch whose hint describes it, instead of being part of its name. */
function OptionSwitch({ label, hint, isOn, isDisabled, onFlip }: OptionSwitchProps) {
  const hintId = useId();
  return (
    <div className={classes.switch}>
      <Switch
        label={label}
        labelPosition="left"
        className={classes.switchLine ?? ""}
        aria-describedby={hint === undefined ? undefined : hintId}
        checked={isOn}
        disabled={isDisabled}
        onChange={(event) => onFlip(event.currentTarget.checked)}
      />
      {hint !== undefined && (
        <Input.Description id={hintId} className={classes.switchHint ?? ""}>
          {hint}
        </Input.Description>
      )}
    </div>
  );
}

/** The switches of a section; each saves at once. */
export function OptionSwitches({ switches, saved }: { switches: readonly SwitchKey[]; saved: SavedOptions }) {
  const { t } = useTranslation("settings", "common");
  const mayChange = useConfirmOptions(saved);
  const save = useSaveOptions();
  const flip = async (key: SwitchKey, isOn: boolean) => {
    const changes = [{ key, value: String(isOn) }];
    if (!(await mayChange(changes))) return;
    save.mutate(changes, { onSuccess: () => toastSuccess(t("common:operationCompleted")) });
  };
  return (
    <div className={classes.switches}>
      <p className={classes.saving}>{t("switchesSave", { count: switches.length })}</p>
      <div className={classes.switchList}>
        {switches.map((key) => (
          <WithOrigin key={key} optionKey={key} label={t(`fields.${key}`)} saved={saved}>
            <OptionSwitch
              label={t(`fields.${key}`)}
              hint={hintOf(key, t)}
              isOn={saved.values[key] === "true"}
              isDisabled={save.isPending}
              onFlip={(isOn) => void flip(key, isOn)}
            />
          </WithOrigin>
        ))}
      </div>
      <ErrorAlert error={save.error} mt="md" />
    </div>
  );
}
