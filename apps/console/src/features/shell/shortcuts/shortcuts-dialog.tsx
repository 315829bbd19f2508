import { Dialog } from "../../../components/dialogs/dialog.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { modifierKey } from "../../../lib/browser/modifier-key.ts";
import classes from "./shortcuts-dialog.module.css";

/** Shortcuts by place; keys of one entry are pressed together. */
const groups = [
  {
    name: "everywhere",
    shortcuts: [
      { name: "palette", keys: [modifierKey, "K"] },
      { name: "help", keys: ["?"] },
      { name: "close", keys: ["Esc"] },
    ],
  },
  { name: "lists", shortcuts: [{ name: "search", keys: ["/"] }] },
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
  const { t } = useTranslation("shortcuts");
  return (
    <Dialog onClose={onClose} title={t("title")}>
      {groups.map(({ name, shortcuts }) => (
        <section key={name} className={classes.group} aria-label={t(`groups.${name}`)}>
          <h3 className={classes.heading}>{t(`groups.${name}`)}</h3>
          <dl className={classes.list}>
            {shortcuts.map((shortcut) => (
              <div key={shortcut.name} className={classes.line}>
                <dt>{t(`keys.${shortcut.name}`)}</dt>
                <dd className={classes.keys}>
                  {shortcut.keys.map((key) => (
                    <kbd key={key} className={classes.key}>
                      {key}
                    </kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </Dialog>
  );
}
