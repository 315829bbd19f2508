import { Autocomplete, Button, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type KeyboardEvent, useState } from "react";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { groupsQuery } from "../../../channels/channel-queries.ts";
import classes from "./group-limits.module.css";

interface AddLimitRowProps {
  isKnown(group: string, model: string): boolean;
  onAdd(group: string, model: string): void;
}

/** Adds the limits of a group, for all models or for one. */
export function AddLimitRow({ isKnown, onAdd }: AddLimitRowProps) {
  const { t } = useTranslation("settings", "common");
  const { data: groups = [] } = useQuery(groupsQuery);
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
  // Enter chooses a group or adds the row; it does not save the section.
  const keepForm = (event: KeyboardEvent) => event.key === "Enter" && event.preventDefault();
  return (
    <div className={classes.add}>
      <Autocomplete
        label={t("groupLimits.group")}
        data={groups}
        value={group}
        error={isTaken && t("groupLimits.known")}
        onChange={setGroup}
        onKeyDown={keepForm}
      />
      <TextInput
        label={t("groupLimits.model")}
        placeholder={t("groupLimits.allModels")}
        value={model}
        onChange={(event) => setModel(event.currentTarget.value)}
        onKeyDown={(event) => {
          keepForm(event);
          if (event.key === "Enter") add();
        }}
      />
      <Button
        variant="default"
        leftSection={<IconPlus size={16} />}
        disabled={name === "" || isTaken}
        aria-label={t("groupLimits.add")}
        onClick={add}
      >
        {t("common:add")}
      </Button>
    </div>
  );
}
