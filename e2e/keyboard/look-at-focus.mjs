/**
 * @typedef {object} FocusReport
 * @property {boolean} isThere whether the control has the focus
 * @property {boolean} isGone whether the control is no longer in the page
 * @property {"Tab" | "Shift+Tab"} key key that leads to it
 * @property {string} trouble missing information for a sighted user; empty for none
 * @property {string} outOfSight focused control that is invisible, outside the window or covered; empty for none
 */

/**
 * Runs in the page: reports whether the control has the focus, which key leads to it, and whether the focus is visible:
 * the control, a neighbour or a parent looks different without it.
 * @param {any} control
 * @returns {FocusReport}
 */
export function lookAtFocus(control) {
  const nameOf = (one) => one.getAttribute("aria-label") || one.id || one.outerHTML.slice(0, 120);
  const lookOf = (one) =>
    [one.parentElement?.parentElement, one.parentElement, ...(one.parentElement?.children ?? [])]
      .filter((part) => part instanceof Element)
      .map((part) => {
        const { outline, boxShadow, borderColor, backgroundColor, color } = getComputedStyle(part);
        return [outline, boxShadow, borderColor, backgroundColor, color].join();
      })
      .join("|");
  /** Element that covers its middle; undefined for none. */
  const behind = (one) => {
    const isDrawn = one.getBoundingClientRect().width > 1;
    const drawn = isDrawn ? one : (one.closest("label") ?? one.parentElement);
    const { left, right, top, bottom } = drawn.getBoundingClientRect();
    const x = (Math.max(left, 0) + Math.min(right, innerWidth)) / 2;
    const y = (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2;
    const hit = document.elementFromPoint(x, y);
    if (hit === null) return "the edge of the window";
    return drawn.contains(hit) || hit.contains(drawn) ? undefined : hit.outerHTML.slice(0, 120);
  };
  const focused = document.activeElement;
  const isNowhere = focused === null || focused === document.body;
  const isStop = !isNowhere && focused.tabIndex >= 0;
  const before = window.focusBefore;
  const troubles = [];
  if (before?.isStop === true && before.control.isConnected && before.control !== focused) {
    if (before.look === lookOf(before.control)) troubles.push(`nothing shows the focus on ${nameOf(before.control)}`);
  }
  window.focusBefore = { control: focused, isStop, look: isStop ? lookOf(focused) : "" };
  const isAfter = !isNowhere && (control.compareDocumentPosition(focused) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
  return {
    isThere: control === focused,
    isGone: !control.isConnected,
    key: isAfter ? "Shift+Tab" : "Tab",
    trouble: troubles.join("; "),
    outOfSight:
      isStop && behind(focused) !== undefined ? `${focused.outerHTML.slice(0, 120)} behind ${behind(focused)}` : "",
  };
}

/** Runs in the page: scrolls to the focused control, as a user would. */
export function scrollToFocus() {
  document.activeElement?.scrollIntoView({ block: "nearest" });
}

/**
 * Runs in the page: what had the focus when it was lost. Empty while something has it, and on a page that has just come.
 * @param {any} _control
 * @returns {string}
 */
export function whereFocusWasLost(_control) {
  const isNowhere = document.activeElement === null || document.activeElement === document.body;
  const before = window.focusBefore;
  return isNowhere && before !== undefined ? before.control.outerHTML.slice(0, 300) : "";
}
