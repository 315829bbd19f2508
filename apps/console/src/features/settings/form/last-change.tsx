import { TextLink } from "../../../components/text-link.tsx";
import { TimeText } from "../../../components/time-text.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import classes from "../options/options.module.css";
import { useOptionChanges } from "../options/option-queries.ts";

interface LastChangeProps<Key extends string> {
  keys: readonly Key[];
  labelOf(key: Key): string;
}

/** The newest change among the options, with its author and time; links to its audit trail. Empty if none was ever set. */
export function LastChange<Key extends string>({ keys, labelOf }: LastChangeProps<Key>) {
  const { t } = useTranslation("settings");
  const { data: changes = [] } = useOptionChanges();
  const [last] = keys
    .flatMap((key) => changes.filter((change) => change.key === key).map((change) => ({ ...change, key })))
    .toSorted((left, right) => right.changed_at - left.changed_at);
  if (last === undefined) return null;
  const { key, changed_at: time, actor_name: name } = last;
  const field = labelOf(key);
  return (
    <p className={classes.changed}>
      <TextLink to="/audit" search={{ object: `option:${key}` }} inherit c="inherit">
        {name === "" ? t("lastChange", { field }) : t("lastChangeBy", { field, name })}
      </TextLink>{" "}
      <TimeText time={time} />
    </p>
  );
}
