import { Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";

const DELAY_MS = 350;
const ENDING_KEYS: ReadonlySet<string> = new Set(["Escape", "Enter", " "]);

interface Hint {
  readonly target: HTMLElement;
  readonly label: string;
}

function hintAt({ target }: Event): Hint | undefined {
  const element = target instanceof Element ? target.closest<HTMLElement>("[data-tip]") : null;
  return element === null ? undefined : { target: element, label: element.dataset["tip"] ?? "" };
}

/**
 * Calls back with the hint under the pointer or the keyboard's focus, or undefined. Returns a function that stops it.
 */
function watchHints(onHint: (hint: Hint | undefined) => void): () => void {
  let [timer, current] = [0, undefined as Hint | undefined];
  const show = (hint: Hint | undefined, delayMs: number) => {
    if (hint?.target === current?.target) return;
    clearTimeout(timer);
    if (current !== undefined) onHint(undefined);
    current = hint;
    if (hint !== undefined) timer = window.setTimeout(() => onHint(hint), delayMs);
  };
  const listeners: Partial<Record<keyof DocumentEventMap, (event: Event) => void>> = {
    pointerover: (event) =>
      event instanceof PointerEvent && event.pointerType !== "touch" && show(hintAt(event), DELAY_MS),
    focusin: (event) =>
      event.target instanceof Element && event.target.matches(":focus-visible") && show(hintAt(event), 0),
    focusout: () => show(undefined, 0),
    pointerdown: () => show(undefined, 0),
    scroll: () => show(undefined, 0),
    // A press may change what the button does.
    keydown: (event) => event instanceof KeyboardEvent && ENDING_KEYS.has(event.key) && show(undefined, 0),
  };
  for (const [name, listener] of Object.entries(listeners)) document.addEventListener(name, listener, true);
  return () => {
    clearTimeout(timer);
    for (const [name, listener] of Object.entries(listeners)) document.removeEventListener(name, listener, true);
  };
}

/**
 * Shows the `data-tip` of the button under the pointer or with the focus. One box for all buttons, since a list has
 * hundreds.
 */
export default function TooltipHost() {
  const [hint, setHint] = useState<Hint>();
  useEffect(() => watchHints(setHint), []);
  return hint !== undefined && <Tooltip opened target={hint.target} label={hint.label} />;
}
