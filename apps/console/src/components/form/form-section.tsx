import { useId, type ReactNode } from "react";
import { Card } from "../boxes/card.tsx";
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
    <Card title={title} titleId={titleId} description={description}>
      <div className={classes.fields} data-fields>
        {children}
      </div>
    </Card>
  );
}

/** A field over the full width of its section. */
export function FormWide({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>;
}
