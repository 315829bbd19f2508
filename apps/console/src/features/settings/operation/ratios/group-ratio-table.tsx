import { ActionIcon } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { formatPercent } from "../../../../lib/format.ts";
import { useTranslation } from "../../../../lib/i18n/use-translation.ts";
import { AddName } from "./add-name.tsx";
import { RatioCell } from "./ratio-cell.tsx";
import { type Ratios, withRatio } from "./ratio-model.ts";
import classes from "./ratios.module.css";

interface GroupRatioTableProps {
  ratios: Ratios;
  defaults: Ratios;
  onChange(ratios: Ratios): void;
}

export function GroupRatioTable({ ratios, defaults, onChange }: GroupRatioTableProps) {
  const { t, language } = useTranslation("settings");
  return (
    <section aria-label={t("fields.GroupRatio")}>
      <h3 className={classes.part}>{t("fields.GroupRatio")}</h3>
      <p className={classes.note}>{t("hints.GroupRatio")}</p>
      <ul className={classes.groups}>
        {[...ratios].map(([name, ratio]) => (
          <li key={name} className={classes.group}>
            <span className={classes.name}>{name}</span>
            <RatioCell
              label={t("ratios.of", { what: t("ratios.ratio"), name })}
              value={ratio}
              instead={defaults.get(name) ?? 1}
              onBack={() => onChange(withRatio(ratios, name, defaults.get(name) ?? 1))}
              onChange={(next) => next !== undefined && onChange(withRatio(ratios, name, next))}
            />
            <span className={classes.paid}>
              {t("ratios.paid", { share: formatPercent(ratio, language, Number.isInteger(ratio * 100) ? 0 : 1) })}
            </span>
            <ActionIcon
              aria-label={t("ratios.removeName", { name })}
              title={t("ratios.removeName", { name })}
              onClick={() => onChange(withRatio(ratios, name, undefined))}
            >
              <IconTrash size={16} />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <AddName
        label={t("ratios.addGroup")}
        isKnown={(name) => ratios.has(name)}
        onAdd={(name) => onChange(withRatio(ratios, name, 1))}
      />
    </section>
  );
}
