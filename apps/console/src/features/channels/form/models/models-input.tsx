import { Combobox, type InputWrapperProps, TextInput, useCombobox } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ClipboardEvent, type KeyboardEvent, useCallback, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { ChosenModels, type ModelFacts } from "./chosen-models.tsx";
import { splitModels, suggestModels, withModels } from "./model-names.ts";
import classes from "./models-input.module.css";

interface ModelsInputProps extends Pick<InputWrapperProps, "error" | "required"> {
  "aria-label": string;
  value: string[];
  onChange(models: string[]): void;
  onFocus?(event: unknown): void;
  onBlur?(event: unknown): void;
  suggestions: readonly string[];
  facts: ModelFacts;
  "data-path"?: string;
}

function useTypedModels({
  value,
  onChange,
  suggestions,
}: Pick<ModelsInputProps, "value" | "onChange" | "suggestions">) {
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState("");
  const add = (names: readonly string[]) => {
    if (names.length > 0) onChange(withModels(value, names));
    setText("");
  };
  const type = (typed: string) => {
    const isList = /[,，\n]/.test(typed);
    if (isList) add(splitModels(typed));
    else setText(typed);
    combobox.openDropdown();
    combobox.updateSelectedOptionIndex();
  };
  const paste = (event: ClipboardEvent) => {
    const names = splitModels(event.clipboardData.getData("text"));
    if (names.length < 2) return;
    event.preventDefault();
    add(names);
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.key !== "Enter" || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (combobox.getSelectedOptionIndex() < 0) add(splitModels(text));
  };
  const typed = text.trim();
  const found = combobox.dropdownOpened ? suggestModels(suggestions, value, typed) : [];
  const isNew = typed !== "" && !value.includes(typed) && !suggestions.includes(typed);
  return { combobox, text, typed, found, isNew, add, type, paste, keyDown };
}

interface SuggestedModelsProps {
  found: readonly string[];
  newName: string | undefined;
}

function SuggestedModels({ found, newName }: SuggestedModelsProps) {
  const { t } = useTranslation("channel-form");
  return (
    <Combobox.Dropdown hidden={found.length === 0 && newName === undefined}>
      <Combobox.Options mah={280} className={classes.options ?? ""}>
        {newName !== undefined && (
          <Combobox.Option value={newName}>
            <IconPlus size={14} /> {t("form.addModel", { model: newName })}
          </Combobox.Option>
        )}
        {found.map((model) => (
          <Combobox.Option key={model} value={model}>
            {model}
          </Combobox.Option>
        ))}
      </Combobox.Options>
    </Combobox.Dropdown>
  );
}

export function ModelsInput(props: ModelsInputProps) {
  const { value, onChange, suggestions, facts, ...field } = props;
  const { t } = useTranslation("channel-form");
  const { combobox, text, typed, found, isNew, add, type, paste, keyDown } = useTypedModels({
    value,
    onChange,
    suggestions,
  });
  const latest = useRef({ value, onChange });
  useLayoutEffect(() => {
    latest.current = { value, onChange };
  });
  const remove = useCallback(
    (model: string) => latest.current.onChange(latest.current.value.filter((other) => other !== model)),
    [],
  );
  return (
    <div className={classes.models}>
      <Combobox store={combobox} onOptionSubmit={(model) => add([model])} position="bottom-start">
        <Combobox.Target>
          <TextInput
            {...field}
            placeholder={t("form.modelsPlaceholder")}
            autoComplete="off"
            spellCheck={false}
            value={text}
            onChange={(event) => type(event.currentTarget.value)}
            onPaste={paste}
            onClick={() => combobox.openDropdown()}
            onFocus={(event) => field.onFocus?.(event)}
            onBlur={(event) => {
              combobox.closeDropdown();
              if (typed !== "") add([typed]);
              else field.onBlur?.(event);
            }}
            onKeyDown={keyDown}
          />
        </Combobox.Target>
        <SuggestedModels found={found} newName={isNew ? typed : undefined} />
      </Combobox>
      <ChosenModels models={value} facts={facts} onRemove={remove} />
    </div>
  );
}
