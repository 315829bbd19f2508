/** Name of the modifier key on this keyboard. */
export const modifierKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
