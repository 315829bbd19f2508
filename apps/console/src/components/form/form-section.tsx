import { IconChevronRight } from "@tabler/icons-react";
import { type ComponentProps, type ReactNode, useId, useState } from "react";
import { useTranslation } from "../../lib/i18n/use-translation.ts";
import { Card } from "../boxes/card.tsx";
import classes from "./form-section.module.css";
import { useNamedSection } from "./section-nav.tsx";

export function SectionCard(props: ComponentProps<typeof Card> & { title: string }) {
  const titleId = useId();
  useNamedSection(titleId, props.title);
  return <Card {...props} titleId={titleId} />;
}

interface FormSectionProps {
  /** Without one the form has this section alone, or names it otherwise. */
  title?: string;
  description?: ReactNode;
  onFieldLeft?(): void;
  children: ReactNode;
}

/** A titled group of fields; children stand in two columns, `<FormWide>` spans both. */
export function FormSection({ title, description, onFieldLeft, children }: FormSectionProps) {
  const fields = (
    <div className={classes.fields} data-fields onBlur={onFieldLeft}>
      {children}
    </div>
  );
  if (title === undefined) return <Card>{fields}</Card>;
  return (
    <SectionCard title={title} description={description}>
      {fields}
    </SectionCard>
  );
}

/** Sections of which most people need none: one box, one row each. */
export function FoldedSections({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const titleId = useId();
  const title = t("form.advanced");
  useNamedSection(titleId, title);
  return (
    <section className={classes.folded} aria-labelledby={titleId}>
      <h2 id={titleId} className={classes.foldedTitle} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </section>
  );
}

interface FoldedSectionProps {
  title: string;
  description?: ReactNode;
  /** The values of its fields in a few words, shown while it is folded. */
  summary: string;
  /** Whether its fields differ from their defaults or are wrong: then it opens without a press. */
  opensItself: boolean;
  children: ReactNode;
}

/** A row of `<FoldedSections>`. */
export function FoldedSection({ title, description, summary, opensItself, children }: FoldedSectionProps) {
  const titleId = useId();
  const summaryId = useId();
  // Stays open once it has opened itself: a field that is set back to its default must not vanish while it is edited.
  const [isOpen, setOpen] = useState(false);
  if (opensItself && !isOpen) setOpen(true);
  return (
    <section className={classes.row} aria-labelledby={titleId}>
      <h3 id={titleId} className={classes.rowTitle}>
        {opensItself ? (
          // Fields that differ from their defaults stay visible.
          title
        ) : (
          <button
            type="button"
            className={classes.rowButton}
            aria-expanded={isOpen}
            aria-describedby={isOpen ? undefined : summaryId}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChevronRight size={16} className={classes.chevron ?? ""} aria-hidden="true" />
            {title}
          </button>
        )}
      </h3>
      {isOpen ? (
        <div className={classes.rowBody}>
          {description !== undefined && <p className={classes.rowText}>{description}</p>}
          <div className={classes.fields} data-fields>
            {children}
          </div>
        </div>
      ) : (
        <p id={summaryId} className={classes.summary}>
          {summary}
        </p>
      )}
    </section>
  );
}

export function FormWide({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>;
}
