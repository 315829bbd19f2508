/** Start of a marker such as `[[fake: {"kind":"refuse","status":429}]]`, by which a prompt selects the behaviour. */
export const MARKER_START = "[[fake:";
export const MARKER_END = "]]";

export function withoutMarkers(text: string): string {
  if (!text.includes(MARKER_START)) return text;
  let rest = text;
  for (let start = rest.indexOf(MARKER_START); start !== -1; start = rest.indexOf(MARKER_START)) {
    const end = rest.indexOf(MARKER_END, start);
    rest = rest.slice(0, start) + (end === -1 ? "" : rest.slice(end + MARKER_END.length));
  }
  return rest.trim();
}
