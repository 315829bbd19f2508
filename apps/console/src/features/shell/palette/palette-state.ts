import { type KeyboardEvent, useState } from "react";
import type { PaletteCommand } from "./palette-commands.tsx";

export function usePaletteState() {
  const [text, setText] = useState("");
  const [marked, setMarked] = useState(0);
  const [opened, setOpened] = useState<{ readonly command: PaletteCommand; readonly text: string }>();
  return {
    text,
    marked,
    opened: opened?.command,
    mark: setMarked,
    type: (typed: string) => {
      setText(typed);
      setMarked(0);
    },
    openActions: (command: PaletteCommand) => {
      setOpened({ command, text });
      setText("");
      setMarked(0);
    },
    leaveActions: () => {
      setOpened(undefined);
      setText(opened?.text ?? "");
      setMarked(0);
    },
  };
}

type PaletteState = ReturnType<typeof usePaletteState>;

/** True when an arrow would not move the caret. */
function isAtEnd({ currentTarget: input }: KeyboardEvent<HTMLInputElement>): boolean {
  return input.selectionStart === input.value.length && input.selectionEnd === input.value.length;
}

/** The keys that move the mark, choose, and go to the actions on the marked command and back. */
export function usePaletteKeys(
  state: PaletteState,
  commands: readonly PaletteCommand[],
  onRun: (command: PaletteCommand) => void,
) {
  const { marked, opened, text } = state;
  const last = commands.length - 1;
  const current = commands[Math.min(marked, last)];
  const move = (by: number) => {
    if (last >= 0) state.mark((before) => (Math.min(before, last) + by + commands.length) % commands.length);
  };
  const actionOf = (event: KeyboardEvent<HTMLInputElement>): (() => void) | undefined => {
    const leaves = opened !== undefined && (event.key === "Escape" || text === "");
    if (event.key === "ArrowDown") return () => move(1);
    if (event.key === "ArrowUp") return () => move(-1);
    // The Enter that ends the writing of a Chinese word chooses nothing.
    if (event.key === "Enter" && !event.nativeEvent.isComposing) return () => current && onRun(current);
    if (event.key === "ArrowRight" && current?.actionsOf !== undefined && isAtEnd(event))
      return () => state.openActions(current);
    return leaves && ["Escape", "ArrowLeft", "Backspace"].includes(event.key) ? state.leaveActions : undefined;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const act = actionOf(event);
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return { current, onKeyDown };
}
