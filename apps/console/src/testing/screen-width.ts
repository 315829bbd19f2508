function matches(query: string, widthPx: number): boolean {
  const limit = /\(max-width: (\d+)px\)/.exec(query);
  return limit !== null && widthPx <= Number(limit[1]);
}

/** Makes media queries answer for a screen of that width, light, with motion. */
export function setScreenWidth(widthPx: number): void {
  window.matchMedia = (query) => ({
    matches: matches(query, widthPx),
    media: query,
    onchange: null,
    addListener: () => undefined,
    removeListener: () => undefined,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
    dispatchEvent: () => false,
  });
}
