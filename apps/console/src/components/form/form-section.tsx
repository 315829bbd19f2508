import { Button } from "@mantine/core";
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
  title: string;
  description?: ReactNode;
  onFieldLeft?(): void;
  children: ReactNode;
}

/** A titled group of fields; children stand in two columns, `<FormWide>` spans both. */
export function FormSection({ title, description, onFieldLeft, children }: FormSectionProps) {
  return (
    <SectionCard title={title} description={description}>
      <div className={classes.fields} data-fields onBlur={onFieldLeft}>
        {children}
      </div>
    </SectionCard>
  );
}

interface FoldedSectionProps {
  title: string;
  description?: ReactNode;
  /** Whether its fields differ from their defaults or are wrong: then it opens without a press. */
  opensItself: boolean;
  children: ReactNode;
}

export function FoldedSection({ title, description, opensItself, children }: FoldedSectionProps) {
  const { t } = useTranslation();
  // Stays open once it has opened itself: a field that is set back to its default must not vanish while it is edited.
  const [isOpen, setOpen] = useState(false);
  if (opensItself && !isOpen) setOpen(true);
  const label = t(isOpen ? "collapse" : "expand");
  return (
    <SectionCard
      title={title}
      description={description}
      actions={
        <Button
          variant="subtle"
          size="compact-sm"
          aria-expanded={isOpen}
          aria-label={t("actionOn", { label, name: title })}
          // Fields that differ from their defaults stay visible.
          disabled={opensItself}
          onClick={() => setOpen(!isOpen)}
        >
          {label}
        </Button>
      }
    >
      {isOpen && (
        <div className={classes.fields} data-fields>
          {children}
        </div>
      )}
    </SectionCard>
  );
}

export function FormWide({ children }: { children: ReactNode }) {
  return <div className={classes.wide}>{children}</div>;
}
