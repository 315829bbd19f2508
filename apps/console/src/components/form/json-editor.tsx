import { Button, Textarea, type TextareaProps } from "@mantine/core";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./json-editor.module.css";

interface JsonEditorProps extends Omit<TextareaProps, "value" | "onChange" | "defaultValue"> {
  value: string;
  onChange(value: string): void;
}

/** Returns the JSON text indented, or undefined when it is no JSON. */
function indented(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2);
  } catch {
    return undefined;
  }
}

/** A text field for JSON: fixed-width letters, and a button that indents it. Empty is allowed; the form's schema validates. */
export function JsonEditor({ value, onChange, error, ...field }: JsonEditorProps) {
  const { t } = useTranslation();
  const tidy = value.trim() === "" ? value : indented(value);
  return (
    <div className={classes.editor}>
      <Textarea
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        {...field}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
        error={error ?? (tidy === undefined ? t("form.invalidJson") : undefined)}
        classNames={{ input: classes.input ?? "" }}
      />
      <Button
        className={classes.tidy ?? ""}
        size="compact-xs"
        variant="subtle"
        disabled={tidy === undefined || tidy === value}
        onClick={() => tidy !== undefined && onChange(tidy)}
      >
        {t("form.formatJson")}
      </Button>
    </div>
  );
}
