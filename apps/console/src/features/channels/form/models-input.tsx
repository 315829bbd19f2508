import { Button, Combobox, type InputWrapperProps, Pill, TextInput, useCombobox } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { type ClipboardEvent, memo, useCallback, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { splitModels, suggestModels, withModels } from "./model-names.ts";
import classes from "./models-input.module.css";

/** More are shown on request: a thousand of them would make every key press slow. */
const SHOWN_AT_FIRST = 60;

interface ChosenModelsProps {
  models: readonly string[];
  onRemove(model: string): void;
}

/** The chosen models, each with a button that takes it out. */
export const ChosenModels = memo(function ChosenModels({ models, onRemove }: ChosenModelsProps) {
  const { t } = useTranslation("channel-form");
  const [showsAll, setShowsAll] = useState(false);
  if (models.length === 0) return null;
  const shown = showsAll ? models : models.slice(0, SHOWN_AT_FIRST);
  return (
    <div className={classes.chosen}>
      <span className={classes.count} role="status">
        {t("form.modelCount", { count: models.length })}
      </span>
      <ul className={classes.pills}>
        {shown.map((model) => (
          <li key={model}>
            <Pill
              className={classes.pill ?? ""}
              withRemoveButton
              onRemove={() => onRemove(model)}
              removeButtonProps={{ "aria-label": t("form.removeModel", { model }), "aria-hidden": false, tabIndex: 0 }}
            >
              {model}
            </Pill>
          </li>
        ))}
      </ul>
      {models.length > SHOWN_AT_FIRST && (
        <Button
          variant="subtle"
          size="compact-xs"
          className={classes.more ?? ""}
          onClick={() => setShowsAll(!showsAll)}
        >
          {showsAll ? t("form.showFewer") : t("form.showAll", { count: models.length })}
        </Button>
      )}
    </div>
  );
});

interface ModelsInputProps extends Pick<InputWrapperProps, "label" | "error" | "withAsterisk"> {
  value: string[];
  onChange(models: string[]): void;
  onFocus?(event: unknown): void;
  onBlur?(event: unknown): void;
  suggestions: readonly string[];
  "data-path"?: string;
}

/** A list of models: found by typing, added as one likes, pasted as a list. Stays quick with thousands. */
export function ModelsInput({ value, onChange, suggestions, ...field }: ModelsInputProps) {
  const { t } = useTranslation("channel-form");
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const [text, setText] = useState("");
  const latest = useRef({ value, onChange });
  useLayoutEffect(() => {
    latest.current = { value, onChange };
  });
  const remove = useCallback(
    (model: string) => latest.current.onChange(latest.current.value.filter((other) => other !== model)),
    [],
  );
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
  const typed = text.trim();
  const found = combobox.dropdownOpened ? suggestModels(suggestions, value, typed) : [];
  const isNew = typed !== "" && !value.includes(typed) && !suggestions.includes(typed);
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
            onKeyDown={(event) => {
              if (event.key !== "Enter" || event.metaKey || event.ctrlKey) return;
              event.preventDefault();
              if (combobox.getSelectedOptionIndex() < 0) add(splitModels(text));
            }}
          />
        </Combobox.Target>
        <Combobox.Dropdown hidden={found.length === 0 && !isNew}>
          <Combobox.Options mah={280} className={classes.options ?? ""}>
            {isNew && (
              <Combobox.Option value={typed}>
                <IconPlus size={14} /> {t("form.addModel", { model: typed })}
              </Combobox.Option>
            )}
            {found.map((model) => (
              <Combobox.Option key={model} value={model}>
                {model}
              </Combobox.Option>
            ))}
          </Combobox.Options>
        </Combobox.Dropdown>
      </Combobox>
      <ChosenModels models={value} onRemove={remove} />
    </div>
  );
}
