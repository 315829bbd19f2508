import { useEffect, useRef } from "react";
import { isTyping } from "./is-typing.ts";

/** Actions by key: `c`, `?`, `Shift+ArrowDown`, or a chord of two letters, `g l`, in lower case. A function that returns false leaves the key to other shortcuts and the browser. */
type Shortcuts = Readonly<Record<string, () => boolean | void>>;

/** Longest time between the two keys of a chord, in ms. */
const CHORD_MS = 1_500;

/** Parts over a page whose keys are their own. */
const OVERLAYS = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** The latest comes first: a list answers a key before the page around it. */
const layers: { readonly current: Shortcuts }[] = [];
let chord = { first: "", at: 0 };

function nameOf({ key, shiftKey }: KeyboardEvent): string {
  const isLetter = /^[a-z]$/i.test(key);
  const name = isLetter ? key.toLowerCase() : key;
  // Signs such as "?" need Shift on many keyboards.
  return shiftKey && (isLetter || key.length > 1) ? `Shift+${name}` : name;
}

function isForPage(event: KeyboardEvent): boolean {
  const { target, defaultPrevented, ctrlKey, metaKey, altKey, isComposing } = event;
  if (defaultPrevented || ctrlKey || metaKey || altKey || isComposing || isTyping(event)) return false;
  return !(target instanceof Element) || target.closest(OVERLAYS) === null;
}

const run = (name: string) => layers.some(({ current }) => current[name] !== undefined && current[name]() !== false);

const beginsChord = (name: string) =>
  layers.some(({ current }) => Object.keys(current).some((known) => known.startsWith(`${name} `)));

function onKey(event: KeyboardEvent): void {
  if (!isForPage(event)) return;
  const name = nameOf(event);
  const { first, at } = chord;
  chord = { first: "", at: 0 };
  if (first !== "" && event.timeStamp - at < CHORD_MS) {
    event.preventDefault();
    run(`${first} ${name}`);
  } else if (beginsChord(name)) {
    event.preventDefault();
    chord = { first: name, at: event.timeStamp };
  } else if (run(name)) event.preventDefault();
}

/** Answers keys while the component is on the page, unless a field, a dialog or a menu has the focus. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts);
  useEffect(() => {
    latest.current = shortcuts;
  });
  useEffect(() => {
    if (layers.length === 0) document.addEventListener("keydown", onKey);
    layers.unshift(latest);
    return () => {
      layers.splice(layers.indexOf(latest), 1);
      if (layers.length === 0) document.removeEventListener("keydown", onKey);
    };
  }, []);
}
