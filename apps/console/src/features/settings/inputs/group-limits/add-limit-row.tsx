import { Button, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useId, useState } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { groupsQuery } from "../../../channels/channel-queries.ts";
import classes from "./group-limits.module.css";

interface AddLimitRowProps {
  isKnown(group: string, model: string): boolean;
  onAdd(group: string, model: string): void;
}

function GroupNames({ id }: { id: string }) {
  const { data: groups = [] } = useQuery(groupsQuery);
  return (
    <datalist id={id}>
      {groups.map((group) => (
        <option key={group} value={group}>
          {group}
        </option>
      ))}
    </datalist>
  );
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
}

/** The group and the model of new limits, once a press asks for them. */
export function AddLimitRow({ isKnown, onAdd }: AddLimitRowProps) {
  const { t } = useTranslation("settings", "common");
  const listId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const [group, setGroup] = useState("");
  const [model, setModel] = useState("");
  const [name, ofModel] = [group.trim(), model.trim()];
  const isTaken = name !== "" && isKnown(name, ofModel);
  const add = () => {
    if (name === "" || isTaken) return;
    onAdd(name, ofModel);
    setGroup("");
    setModel("");
  };
  const addOnEnter = (event: KeyboardEvent) => {
    if (event.key !== "Enter") return;
    // Enter adds the row; it does not save the section.
    event.preventDefault();
    add();
  };
  if (!isOpen)
    return (
      <Button
        className={classes.open ?? ""}
        variant="default"
        size="compact-sm"
        leftSection={<IconPlus size={14} />}
        onClick={() => setIsOpen(true)}
      >
        {t("groupLimits.add")}
      </Button>
    );
  return (
    <div className={classes.add}>
      <TextInput
        ref={takeFocus}
        label={t("groupLimits.group")}
        list={listId}
        value={group}
        error={isTaken && t("groupLimits.known")}
        onChange={(event) => setGroup(event.currentTarget.value)}
        onKeyDown={addOnEnter}
      />
      <GroupNames id={listId} />
      <TextInput
        label={t("groupLimits.model")}
        placeholder={t("groupLimits.allModels")}
        value={model}
        onChange={(event) => setModel(event.currentTarget.value)}
        onKeyDown={addOnEnter}
      />
      <Button variant="default" leftSection={<IconPlus size={16} />} disabled={name === "" || isTaken} onClick={add}>
        {t("common:add")}
      </Button>
    </div>
  );
}
