import { RATIO_KEYS } from "@one-api/contract/prices/ratios";
import { useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { OPERATION_SECTIONS } from "./operation/operation-options.ts";
import { OTHER_SECTIONS } from "./other/other-options.ts";
import type { SettingsTab } from "./settings-search.ts";
import { type OptionSection, SYSTEM_SECTIONS } from "./system/system-options.ts";

const SECTIONS_OF_TAB: readonly (readonly [SettingsTab, readonly OptionSection[]])[] = [
  ["operation", OPERATION_SECTIONS],
  ["system", SYSTEM_SECTIONS],
  ["other", OTHER_SECTIONS],
];

/** The tab that sets the option; undefined for what no tab knows. */
export function tabOfOption(option: string | undefined): SettingsTab | undefined {
  if (RATIO_KEYS.some((key) => key === option)) return "operation";
  const found = SECTIONS_OF_TAB.find(([, sections]) =>
    sections.some(({ switches, fields }) => [...switches, ...fields.map(({ key }) => key)].includes(option ?? "")),
  );
  return found?.[0];
}

/** Focus target within a field, or the heading of several. */
const FOCUSED = "input:not([type=hidden]), textarea, select, h2";

/** For the box around an option's field: once it is there and the address names the option, it comes into sight and takes the focus. */
export function useWantedOption<Box extends HTMLElement>(keys: readonly string[]) {
  const box = useRef<Box>(null);
  const { option }: { option?: unknown } = useSearch({ strict: false });
  const isWanted = typeof option === "string" && keys.includes(option);
  useEffect(() => {
    if (!isWanted) return;
    box.current?.querySelector<HTMLElement>(FOCUSED)?.focus({ preventScroll: true });
    box.current?.scrollIntoView({ block: keys.length > 1 ? "start" : "center" });
  }, [isWanted, keys.length]);
  return { box, isWanted };
}
