/** The space between a label and its value. A full-width colon has its own. */
export function spaceAfter(label: string): string {
  return label.endsWith("：") ? "" : " ";
}
