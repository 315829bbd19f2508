import type { ReactNode } from "react";
import { Card } from "../../../components/boxes/card.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import { LastChange } from "./last-change.tsx";
import { OptionFields } from "./option-fields.tsx";
import { OptionSwitches } from "./option-switches.tsx";
import classes from "../options/options.module.css";
import { type Section, settablePart } from "../fields/shown-section.ts";
import type { SectionFormProps } from "./use-section-form.ts";
import { useViewer } from "./use-viewer.ts";

interface OptionSectionCardProps extends Omit<SectionFormProps, "section"> {
  section: Section;
  actions?: ReactNode;
  children?: ReactNode;
}

export function OptionSectionCard({ section, actions, children, ...form }: OptionSectionCardProps) {
  const { saved } = form;
  const { t } = useTranslation("settings");
  const { id, switches, fields } = settablePart(section, useViewer(saved));
  const isForRoot = switches.length + fields.length === 0;
  return (
    <Card title={t(`sections.${id}.title`)} description={t(`sections.${id}.text`)}>
      {isForRoot && <p className={classes.secondary}>{t("onlyRoot")}</p>}
      {switches.length > 0 && <OptionSwitches switches={switches} saved={saved} />}
      {fields.length > 0 && <OptionFields {...form} section={{ id, switches, fields }} />}
      {!isForRoot && actions !== undefined && <div className={classes.actions}>{actions}</div>}
      {!isForRoot && children}
      <LastChange keys={[...switches, ...fields.map(({ key }) => key)]} labelOf={(key) => t(`fields.${key}`)} />
    </Card>
  );
}
