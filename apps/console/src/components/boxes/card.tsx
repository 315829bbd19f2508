import { type ReactNode, useId } from "react";
import classes from "./card.module.css";

interface CardProps {
  title?: string;
  description?: ReactNode;
  actions?: ReactNode;
  titleId?: string;
  isCompact?: boolean;
  children?: ReactNode;
}

export function Card({ title, description, actions, titleId, isCompact = false, children }: CardProps) {
  const ownId = useId();
  const headingId = titleId ?? ownId;
  if (title === undefined) {
    return (
      <div className={classes.card} data-compact={isCompact}>
        {children}
      </div>
    );
  }
  return (
    <section className={classes.card} data-compact={isCompact} aria-labelledby={headingId}>
      <div className={classes.head}>
        <div className={classes.texts}>
          <h2 id={headingId} className={classes.title} tabIndex={-1}>
            {title}
          </h2>
          {description !== undefined && <p className={classes.description}>{description}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
