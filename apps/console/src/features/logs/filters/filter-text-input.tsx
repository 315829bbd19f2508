import { Autocomplete, CloseButton } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";

interface FilterTextInputProps {
  label: string;
  value: string | undefined;
  /** Called when the typing is done: on Enter, on leaving the field, on a choice. Undefined when it is empty. */
  onCommit(value: string | undefined): void;
  /** Values that occur, to choose from. */
  suggestions: readonly string[];
  /** Takes digits only. */
  isNumber?: boolean;
  /** Shows the label above instead of within. */
  isLabelled: boolean;
  width?: number;
}

/** A filter by an exact text. It waits for the end of typing: half a name fits nothing. */
export function FilterTextInput({
  label,
  value = "",
  onCommit,
  suggestions,
  isNumber = false,
  isLabelled,
  width,
}: FilterTextInputProps) {
  const { t } = useTranslation("logs");
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    setKnown(value);
    setText(value);
  }
  const commit = (next: string) => {
    const trimmed = next.trim();
    setText(trimmed);
    if (trimmed !== value) onCommit(trimmed === "" ? undefined : trimmed);
  };
  return (
    <Autocomplete
      {...(isLabelled ? { label } : { "aria-label": label, placeholder: label })}
      {...(width === undefined ? {} : { w: width })}
      {...(isNumber ? { inputMode: "numeric" as const } : { maxLength: 128 })}
      title={t("filters.exact")}
      value={text}
      data={[...suggestions]}
      limit={8}
      onChange={(typed) => setText(isNumber ? typed.replace(/\D/g, "").slice(0, 9) : typed)}
      onOptionSubmit={commit}
      onBlur={() => commit(text)}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit(text);
      }}
      rightSection={
        text === "" ? null : (
          <CloseButton size="sm" aria-label={t("filters.clearOne", { label })} onClick={() => commit("")} />
        )
      }
    />
  );
}
