import { Combobox, TextInput, type TextInputProps, useCombobox } from "@mantine/core";
import { IconSelector } from "@tabler/icons-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./search-select.module.css";

interface Choice<Value> {
  readonly value: Value;
  readonly label: string;
  readonly keywords?: string;
}

interface SearchSelectProps<Value> extends Omit<TextInputProps, "value" | "onChange" | "defaultValue" | "type"> {
  value: Value;
  onChange(value: Value): void;
  groups: readonly { readonly label: string; readonly choices: readonly Choice<Value>[] }[];
  renderChoice?(choice: Choice<Value>): ReactNode;
}

function matches({ label, keywords = "" }: Choice<unknown>, text: string): boolean {
  const hay = `${label} ${keywords}`.toLowerCase();
  return text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => hay.includes(word));
}

type ChoiceState<Value> = Pick<SearchSelectProps<Value>, "value" | "onChange" | "groups">;

/** Typed text and choice: the field shows the chosen name until the user types. */
function useTypedChoice<Value extends string | number>({ value, onChange, groups }: ChoiceState<Value>) {
  const combobox = useCombobox({ onDropdownClose: () => setText("") });
  const [text, setText] = useState("");
  const isOpen = combobox.dropdownOpened;
  const choices = groups.flatMap((group) => group.choices);
  const label = choices.find((choice) => choice.value === value)?.label ?? String(value);
  const found = groups
    .map((group) => ({ ...group, choices: group.choices.filter((choice) => matches(choice, text.trim())) }))
    .filter((group) => group.choices.length > 0);
  const type = (typed: string) => {
    // A closed field shows the chosen name; typing starts a search instead of extending the name.
    setText(isOpen ? typed : typed.replace(label, ""));
    combobox.openDropdown();
    window.requestAnimationFrame(() => combobox.selectFirstOption());
  };
  const choose = (key: string) => {
    const choice = choices.find((one) => String(one.value) === key);
    combobox.closeDropdown();
    if (choice !== undefined) onChange(choice.value);
  };
  const keyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key !== "Enter" || event.metaKey || event.ctrlKey) return;
    event.preventDefault();
    if (!isOpen) return combobox.openDropdown();
    // The first match is marked a frame after the last letter; fast typing means it too.
    const [first] = found.flatMap((group) => group.choices);
    if (combobox.getSelectedOptionIndex() < 0 && first !== undefined) choose(String(first.value));
  };
  return { combobox, shown: isOpen ? text : label, label, found, type, choose, keyDown };
}

interface FoundChoicesProps<Value> extends Pick<SearchSelectProps<Value>, "value" | "renderChoice"> {
  found: SearchSelectProps<Value>["groups"];
}

function FoundChoices<Value extends string | number>({ found, value, renderChoice }: FoundChoicesProps<Value>) {
  const { t } = useTranslation();
  return (
    <Combobox.Dropdown>
      <Combobox.Options mah={320} className={classes.options ?? ""}>
        {found.length === 0 && <Combobox.Empty>{t("noMatch.title")}</Combobox.Empty>}
        {found.map((group) => (
          <Combobox.Group key={group.label} label={group.label}>
            {group.choices.map((choice) => (
              <Combobox.Option key={choice.value} value={String(choice.value)} active={choice.value === value}>
                {renderChoice?.(choice) ?? choice.label}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
    </Combobox.Dropdown>
  );
}

/** A choice by search: typing filters, Enter takes the first match without submitting the form, Escape reverts. */
export function SearchSelect<Value extends string | number>(props: SearchSelectProps<Value>) {
  const { value, onChange, groups, renderChoice, onBlur, ...field } = props;
  const { combobox, shown, label, found, type, choose, keyDown } = useTypedChoice({ value, onChange, groups });
  return (
    <Combobox store={combobox} onOptionSubmit={choose} position="bottom-start">
      <Combobox.Target withExpandedAttribute>
        <TextInput
          {...field}
          autoComplete="off"
          spellCheck={false}
          rightSection={<IconSelector size={14} className={classes.arrow ?? ""} />}
          rightSectionPointerEvents="none"
          placeholder={label}
          value={shown}
          onChange={(event) => type(event.currentTarget.value)}
          onKeyDown={keyDown}
          onFocus={(event) => {
            field.onFocus?.(event);
            event.currentTarget.select();
          }}
          onClick={() => combobox.openDropdown()}
          onBlur={(event) => {
            combobox.closeDropdown();
            onBlur?.(event);
          }}
        />
      </Combobox.Target>
      <FoundChoices found={found} value={value} {...(renderChoice === undefined ? {} : { renderChoice })} />
    </Combobox>
  );
}
