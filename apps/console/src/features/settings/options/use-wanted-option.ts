import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";

const FOCUSED = "input:not([type=hidden]), textarea, select";

/** Ref of an option's box: it scrolls into view and takes the focus if the address names the option. */
export function useWantedOption<Box extends HTMLElement>(key: string) {
  const box = useRef<Box>(null);
  const { option }: { option?: unknown } = useSearch({ strict: false });
  const isWanted = option === key;
  useEffect(() => {
    if (!isWanted) return;
    box.current?.querySelector<HTMLElement>(FOCUSED)?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: "center" });
  }, [isWanted]);
  return { box, isWanted };
}
