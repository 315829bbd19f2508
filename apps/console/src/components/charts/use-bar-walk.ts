import { type KeyboardEvent, useRef, useState } from "react";

const NEXT_BY_KEY = new Map<string, (at: number, count: number) => number>([
  ["ArrowLeft", (at) => at - 1],
  ["ArrowRight", (at) => at + 1],
  ["Home", () => 0],
  ["End", (_at, count) => count - 1],
]);

/** Makes the bars of a chart one tab stop, with arrow keys between bars. Each bar is a link or a button in the list. */
export function useBarWalk(count: number) {
  const [entry, setEntry] = useState(0);
  const list = useRef<HTMLOListElement>(null);
  return {
    list,
    tabIndexOf: (index: number) => (index === Math.min(entry, count - 1) ? 0 : -1),
    walkFrom: (index: number) => (event: KeyboardEvent) => {
      const next = NEXT_BY_KEY.get(event.key)?.(index, count);
      if (next === undefined || next < 0 || next >= count) return;
      event.preventDefault();
      setEntry(next);
      list.current?.querySelectorAll<HTMLElement>("a, button")[next]?.focus();
    },
  };
}
