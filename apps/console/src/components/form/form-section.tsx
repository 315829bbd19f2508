import { type ComponentProps, type ReactNode, useId } from "react";
import { Card } from "../boxes/card.tsx";
import classes from "./form-section.module.css";
import { useNamedSection } from "./section-nav.tsx";

/** A titled box that the navigation beside it leads to. */
export function SectionCard(props: ComponentProps<typeof Card> & { title: string }) {
  const titleId = useId();
  useNamedSection(titleId, props.title);
  return <Card {...props} titleId={titleId} />;
}

interface FormSectionProps {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** A titled group of fields; children stand in two columns, `<FormWide>` spans both. */
export function FormSection({ title, description, children }: FormSectionProps) {
  return (
    <SectionCard title={title} description={description}>
      <div className={classes.fields} data-fields>
        {children}
      </div>
    </SectionCard>
  );
}

/** A field over the full width of its section. */
export function FormWide({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>;
}
