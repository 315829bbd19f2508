import { Menu } from "@mantine/core";
import type { MenuButtonProps, MenuEntry } from "./menu-button.tsx";

function Entry({ entry }: { entry: MenuEntry }) {
  const { label, icon, mark, isDisabled = false, tone, onSelect, isOn = false, onToggle } = entry;
  if (onToggle !== undefined) {
    return (
      <Menu.CheckboxItem checked={isOn} onChange={onToggle}>
        {label}
      </Menu.CheckboxItem>
    );
  }
  if (onSelect === undefined) return <Menu.Label>{label}</Menu.Label>;
  return (
    <Menu.Item
      leftSection={icon}
      rightSection={mark}
      disabled={isDisabled}
      {...(tone === "danger" ? { color: "danger" } : {})}
      onClick={onSelect}
    >
      {label}
    </Menu.Item>
  );
}

/** A button with its menu. */
export default function LoadedMenu({
  entries,
  renderButton,
  startsOpened,
}: MenuButtonProps & { startsOpened: boolean }) {
  return (
    <Menu defaultOpened={startsOpened}>
      <Menu.Target>{renderButton({})}</Menu.Target>
      <Menu.Dropdown>
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
