import { Menu } from "@mantine/core";
import { type ReactElement, type Ref, useEffect, useRef, useState } from "react";
import classes from "./loaded-menu.module.css";
import type { MenuEntry } from "./menu-entry.ts";

interface LoadedMenuProps {
  entries: readonly MenuEntry[];
  renderButton(props: { ref: Ref<HTMLButtonElement> }): ReactElement;
}

function Entry({ entry, isFirst }: { entry: MenuEntry; isFirst: boolean }) {
  const { label, icon, mark, isDisabled = false, tone, onSelect, isOn = false, onToggle } = entry;
  if (onToggle !== undefined) {
    return (
      <Menu.CheckboxItem data-autofocus={isFirst || undefined} checked={isOn} disabled={isDisabled} onChange={onToggle}>
        {label}
      </Menu.CheckboxItem>
    );
  }
  if (onSelect === undefined) return <Menu.Label>{label}</Menu.Label>;
  return (
    <Menu.Item
      data-autofocus={isFirst || undefined}
      leftSection={icon}
      rightSection={mark}
      disabled={isDisabled}
      {...(tone === "danger" ? { className: classes.danger } : {})}
      onClick={onSelect}
    >
      {label}
    </Menu.Item>
  );
}

function canBeChosen({ isDisabled = false, onSelect, onToggle }: MenuEntry): boolean {
  return !isDisabled && (onSelect ?? onToggle) !== undefined;
}

export default function LoadedMenu({ entries, renderButton }: LoadedMenuProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [isByKey, setIsByKey] = useState(false);
  useEffect(() => {
    // The button that was pressed made room for this one: it takes the focus, which comes back to it when the menu closes, and the press.
    button.current?.focus();
    button.current?.click();
  }, []);
  const first = isByKey ? entries.find(canBeChosen) : undefined;
  return (
    // Opened by keyboard, the first entry is marked; by pointer, none.
    <Menu
      withInitialFocusPlaceholder={first === undefined}
      onOpen={() => setIsByKey(button.current?.matches(":focus-visible") === true)}
    >
      <Menu.Target>{renderButton({ ref: button })}</Menu.Target>
      <Menu.Dropdown>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} isFirst={entry === first} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
