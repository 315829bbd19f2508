/** How the keyboard calls the key that shortcuts are pressed with. */
export const modifierKey = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
