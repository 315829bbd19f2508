import { ActionIcon, type ActionIconProps } from "@mantine/core";
import { createLink } from "@tanstack/react-router";
import type { AnchorHTMLAttributes, Ref } from "react";

interface AnchorIconProps
  extends ActionIconProps, Omit<AnchorHTMLAttributes<HTMLAnchorElement>, keyof ActionIconProps> {
  ref?: Ref<HTMLAnchorElement>;
}

function AnchorIcon(props: AnchorIconProps) {
  return <ActionIcon component="a" {...props} />;
}

export const IconLink = createLink(AnchorIcon);
