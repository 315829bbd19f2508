import { createContext, type ReactNode, useContext, useEffect, useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import classes from "./form-page.module.css";

interface NamedSection {
  readonly id: string;
  readonly title: string;
}

interface SectionList {
  add(section: NamedSection): void;
  remove(id: string): void;
}

const SectionContext = createContext<SectionList | undefined>(undefined);

const FEWEST_SECTIONS = 3;

/** Distance from the top of the window, in px, at which a section counts as the one that is read. */
const READING_LINE_PX = 160;

/** Makes a section known to the navigation of its form; `id` is that of its heading. */
export function useNamedSection(id: string, title: string): void {
  const sections = useContext(SectionContext);
  useEffect(() => {
    sections?.add({ id, title });
    return () => sections?.remove(id);
  }, [sections, id, title]);
}

function inPageOrder(sections: readonly NamedSection[]): NamedSection[] {
  const placeOf = ({ id }: NamedSection) => document.getElementById(id)?.getBoundingClientRect().top ?? 0;
  return sections.toSorted((left, right) => placeOf(left) - placeOf(right));
}

function useCurrentSection(sections: readonly NamedSection[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    const find = () => {
      const passed = sections.findLast(
        ({ id }) =>
          (document.getElementById(id)?.getBoundingClientRect().top ?? Number.POSITIVE_INFINITY) < READING_LINE_PX,
      );
      setCurrent((passed ?? sections[0])?.id);
    };
    find();
    window.addEventListener("scroll", find, { passive: true });
    return () => window.removeEventListener("scroll", find);
  }, [sections]);
  return current;
}

function goTo(id: string): void {
  const heading = document.getElementById(id);
  heading?.closest("section")?.scrollIntoView({ block: "start" });
  heading?.focus({ preventScroll: true });
}

function SectionNav({ sections }: { sections: readonly NamedSection[] }) {
  const { t } = useTranslation();
  const current = useCurrentSection(sections);
  if (sections.length < FEWEST_SECTIONS) return null;
  return (
    <nav className={classes.nav} aria-label={t("form.sections")}>
      {sections.map(({ id, title }) => (
        <a
          key={id}
          href={`#${id}`}
          className={classes.navEntry}
          aria-current={id === current ? "location" : undefined}
          onClick={(event) => {
            event.preventDefault();
            goTo(id);
          }}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

export function WithSectionNav({ children }: { children: ReactNode }) {
  const [sections, setSections] = useState<readonly NamedSection[]>([]);
  const [list] = useState<SectionList>(() => ({
    add: (section) => setSections((before) => inPageOrder([...before.filter(({ id }) => id !== section.id), section])),
    remove: (removed) => setSections((before) => before.filter(({ id }) => id !== removed)),
  }));
  return (
    <SectionContext value={list}>
      <div className={classes.body}>
        {children}
        <SectionNav sections={sections} />
      </div>
    </SectionContext>
  );
}
