import classes from "./choice-buttons.module.css";

interface ChoiceButtonsProps<Value extends string | number> {
  label: string;
  choices: readonly { readonly value: Value; readonly text: string; readonly isOff?: boolean }[];
  value: NoInfer<Value>;
  onChange(value: NoInfer<Value>): void;
}

/** A choice between a few options, side by side. */
export function ChoiceButtons<Value extends string | number>({
  label,
  choices,
  value,
  onChange,
}: ChoiceButtonsProps<Value>) {
  return (
    <div className={classes.choices} role="group" aria-label={label}>
      {choices.map((choice) => (
        <button
          key={choice.value}
          type="button"
          className={classes.choice}
          aria-pressed={choice.value === value}
          disabled={choice.isOff}
          onClick={() => onChange(choice.value)}
        >
          {choice.text}
        </button>
      ))}
    </div>
  );
}
