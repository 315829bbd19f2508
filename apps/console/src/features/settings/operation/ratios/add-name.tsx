import { Button, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import classes from "./ratios.module.css";

interface AddNameProps {
  label: string;
  isKnown(name: string): boolean;
  onAdd(name: string): void;
}

export function AddName({ label, isKnown, onAdd }: AddNameProps) {
  const { t } = useTranslation("settings", "common");
  const [typed, setTyped] = useState("");
  const name = typed.trim();
  const add = () => {
    if (name === "" || isKnown(name)) return;
    onAdd(name);
    setTyped("");
  };
  return (
    <div className={classes.add}>
      <TextInput
        aria-label={label}
        placeholder={label}
        value={typed}
        error={name !== "" && isKnown(name) && t("ratios.known")}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          // Enter adds the name; it does not submit the form.
          event.preventDefault();
          add();
        }}
      />
      <Button variant="default" leftSection={<IconPlus size={16} />} disabled={name === ""} onClick={add}>
        {t("common:add")}
      </Button>
    </div>
  );
}
