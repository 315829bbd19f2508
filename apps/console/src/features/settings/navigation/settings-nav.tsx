import { TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { Link, useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useRef, useState } from "react";
import { Select } from "../../../components/floating/select.tsx";
import { useTranslation } from "../../../lib/i18n/use-translation.ts";
import type { Viewer } from "../fields/shown-section.ts";
import { findSettings } from "./find-settings.ts";
import { type MappedSection, type SettingsPlace, shownSections } from "./settings-map.ts";
import classes from "./settings-nav.module.css";

/** Width, in px, up to which a select replaces the list of sections. */
const SELECT_WIDTH_PX = 860;

interface SettingsNavProps {
  place: SettingsPlace;
  viewer: Viewer;
}

interface SectionChoiceProps {
  place: SettingsPlace;
  sections: readonly MappedSection[];
}

function SectionList({ place, sections }: SectionChoiceProps) {
  const { t } = useTranslation("settings");
  return sections.map(({ id }) => (
    <Link
      key={id}
      to="/setting"
      search={{ tab: place.tab, section: id }}
      className={classes.entry}
      aria-current={id === place.section ? "page" : undefined}
    >
      {t(`sections.${id}.title`)}
    </Link>
  ));
}

function SectionSelect({ place, sections }: SectionChoiceProps) {
  const { t } = useTranslation("settings");
  const navigate = useNavigate();
  return (
    <Select
      aria-label={t("section")}
      data={sections.map(({ id }) => ({ value: id, label: t(`sections.${id}.title`) }))}
      value={place.section}
      onChange={(section) => section !== null && void navigate({ to: "/setting", search: { tab: place.tab, section } })}
    />
  );
}

interface FoundListProps {
  found: ReturnType<typeof findSettings>;
  onChosen(): void;
}

function FoundList({ found, onChosen }: FoundListProps) {
  const { t } = useTranslation("settings");
  if (found.length === 0)
    return (
      <p className={classes.nothing} role="status">
        {t("search.nothing")}
      </p>
    );
  return found.map(({ tab, section, title, fields }) => (
    <div key={section} className={classes.found}>
      <Link to="/setting" search={{ tab, section }} className={classes.entry} onClick={onChosen}>
        {title} <span className={classes.tab}>{t(`tabs.${tab}`)}</span>
      </Link>
      {fields.map(({ key, label }) => (
        <Link
          key={key}
          to="/setting"
          search={{ tab, section, option: key }}
          className={classes.field}
          onClick={onChosen}
        >
          {label}
        </Link>
      ))}
    </div>
  ));
}

export function SettingsNav({ place, viewer }: SettingsNavProps) {
  const { t } = useTranslation("settings", "common");
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const isNarrow = useMediaQuery(`(max-width: ${SELECT_WIDTH_PX}px)`, false, { getInitialValueInEffect: false });
  const wanted = text.trim();
  const found = wanted === "" ? [] : findSettings(wanted, viewer, t);
  const input = useRef<HTMLInputElement>(null);
  const clear = () => {
    setText("");
    // The chosen link disappears, and the focus with it.
    input.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [first] = found;
    if (event.key === "Escape") clear();
    if (event.key !== "Enter" || event.nativeEvent.isComposing || first === undefined) return;
    const { tab, section, fields } = first;
    clear();
    void navigate({ to: "/setting", search: { tab, section, option: fields[0]?.key } });
  };
  const sections = shownSections(place.tab, viewer);
  const Choice = isNarrow ? SectionSelect : SectionList;
  return (
    <div className={classes.nav}>
      <TextInput
        ref={input}
        type="search"
        aria-label={t("search.label")}
        placeholder={t("search.label")}
        leftSection={<IconSearch size={16} />}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <nav aria-label={t("common:form.sections")} className={classes.list}>
        {wanted === "" ? <Choice place={place} sections={sections} /> : <FoundList found={found} onChosen={clear} />}
      </nav>
    </div>
  );
}
