import { Button } from "@mantine/core";
import classes from "./preset-buttons.module.css";

interface Preset {
  readonly id: string;
  readonly label: string;
  readonly isChosen?: boolean;
  onChoose(): void;
}

interface PresetButtonsProps {
  label: string;
  presets: readonly Preset[];
  disabled?: boolean;
}

export function PresetButtons({ label, presets, disabled = false }: PresetButtonsProps) {
  return (
    <div className={classes.presets} role="group" aria-label={label}>
      {presets.map(({ id, label: name, isChosen = false, onChoose }) => (
        <Button
          key={id}
          variant="default"
          size="compact-xs"
          className={classes.preset ?? ""}
          aria-pressed={isChosen}
          disabled={disabled}
          onClick={onChoose}
        >
          {name}
        </Button>
      ))}
    </div>
  );
}
