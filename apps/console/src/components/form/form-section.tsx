import { useId, type ReactNode } from "react";
import classes from "./form-section.module.css";
import { useNamedSection } from "./section-nav.tsx";

interface FormSectionProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** A titled group of fields; children stand in two columns, `<FormWide>` spans both. */
export function FormSection({ title, description, children }: FormSectionProps) {
  const titleId = useId();
  useNamedSection(titleId, title);
  return (
    <section className={classes.section} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h2 id={titleId} className={classes.title} tabIndex={-1}>
          {title}
        </h2>
        {description !== undefined && <p className={classes.description}>{description}</p>}
      </div>
      <div className={classes.fields}>{children}</div>
    </section>
  );
}

/** A field over the full width of its section. */
export function FormWide({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>;
}
