import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { modifierKey } from "../../../lib/browser/modifier-key.ts";
import { useMenuEntries } from "../menu-entries.ts";
import { PAGE_KEYS } from "./page-keys.ts";
import classes from "./shortcuts-dialog.module.css";

interface Shortcut {
  readonly name: string;
  /** Pressed together, or one after the other. */
  readonly keys: readonly string[];
}

function KeyGroup({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) {
  return (
    <section className={classes.group} aria-label={title}>
      <h3 className={classes.heading}>{title}</h3>
      <dl className={classes.list}>
        {shortcuts.map(({ name, keys }) => (
          <div key={name} className={classes.line}>
            <dt>{name}</dt>
            <dd className={classes.keys}>
              {keys.map((key) => (
                <kbd key={key} className={classes.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const groups = [
  {
    name: "everywhere",
    shortcuts: [
      { name: "palette", keys: [modifierKey, "K"] },
      { name: "help", keys: ["?"] },
      { name: "close", keys: ["Esc"] },
    ],
  },
  {
    name: "lists",
    shortcuts: [
      { name: "search", keys: ["/"] },
      { name: "create", keys: ["C"] },
      { name: "nextRow", keys: ["J", "↓"] },
      { name: "previousRow", keys: ["K", "↑"] },
      { name: "open", keys: ["Enter"] },
      { name: "edit", keys: ["E"] },
      { name: "select", keys: ["X"] },
      { name: "selectMore", keys: ["Shift", "↑", "↓"] },
    ],
  },
  {
    name: "logs",
    shortcuts: [
      { name: "next", keys: ["J"] },
      { name: "previous", keys: ["K"] },
    ],
  },
  { name: "forms", shortcuts: [{ name: "save", keys: [modifierKey, "Enter"] }] },
] as const;

export default function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation("shortcuts", "shell");
  const pages = useMenuEntries().flatMap(({ name }) => {
    const key = PAGE_KEYS[name];
    return key === undefined ? [] : [{ name: t(`shell:menu.${name}`), keys: ["G", key.toUpperCase()] }];
  });
  return (
    <Dialog onClose={onClose} title={t("title")} size={600}>
      <div className={classes.groups}>
        {groups.map(({ name, shortcuts }) => (
          <KeyGroup
            key={name}
            title={t(`groups.${name}`)}
            shortcuts={shortcuts.map((shortcut) => ({ ...shortcut, name: t(`keys.${shortcut.name}`) }))}
          />
        ))}
        <KeyGroup title={t("groups.pages")} shortcuts={pages} />
      </div>
    </Dialog>
  );
}
