import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";
import classes from "./text-link.module.css";

interface TextAnchorProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  ref?: Ref<HTMLAnchorElement>;
  /** Takes size and weight of the text around it. */
  inherit?: boolean;
  size?: "xs" | "sm" | "md";
  /** `inherit`: the colour of the text around it. */
  c?: "inherit";
  underline?: "hover" | "always";
}

/** Plain, since a page of rows has a hundred of them: Mantine's anchor is four components. */
function TextAnchor({ inherit, size = "md", c, underline = "hover", className, children, ...rest }: TextAnchorProps) {
  return (
    <a
      {...rest}
      className={className === undefined ? classes.link : `${classes.link} ${className}`}
      data-size={inherit === true ? undefined : size}
      data-colour={c}
      data-underline={underline}
    >
      {children}
    </a>
  );
}

export const TextLink = createLink(TextAnchor);
