import { Button, Menu } from "@mantine/core";
import { IconCheck, IconColumns3 } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

interface ColumnPickerProps {
  /** Only columns that may be hidden. */
  columns: readonly { readonly id: string; readonly header: string }[];
  hidden: readonly string[];
  onChange(hidden: readonly string[]): void;
}

/** A menu that shows and hides columns; use it with useHiddenColumns. */
export function ColumnPicker({ columns, hidden, onChange }: ColumnPickerProps) {
  const { t } = useTranslation();
  return (
    <Menu closeOnItemClick={false}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconColumns3 size={16} />}>
          {t("columns")}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {columns.map(({ id, header }) => {
          const isShown = !hidden.includes(id);
          return (
            <Menu.Item
              key={id}
              role="menuitemcheckbox"
              aria-checked={isShown}
              rightSection={isShown ? <IconCheck size={16} /> : null}
              onClick={() => onChange(isShown ? [...hidden, id] : hidden.filter((other) => other !== id))}
            >
              {header}
            </Menu.Item>
          );
        })}
      </Menu.Dropdown>
    </Menu>
  );
}
