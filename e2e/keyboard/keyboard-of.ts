import { expect, type Locator, type Page } from "@playwright/test";
import { type FocusReport, lookAtFocus, scrollToFocus, whereFocusWasLost } from "./look-at-focus.mjs";

/** A user with a keyboard only, for whom the focus must always be visible. */
export interface KeyboardUser {
  /** Goes to the control with Tab or Shift+Tab. Throws when it cannot be reached, or when the focus is lost, unseen or covered on the way. */
  readonly reach: (control: Locator) => Promise<void>;
  /** Goes to the control and presses the key, Enter unless told. */
  readonly press: (control: Locator, key?: string) => Promise<void>;
  readonly type: (field: Locator, text: string) => Promise<void>;
  /** Opens the menu of a button and chooses an entry with the arrow keys. */
  readonly choose: (button: Locator, entry: string) => Promise<void>;
}

/** More stops than a page has. */
const MAX_STOPS = 200;

/** Returns what works the page with its keyboard alone. */
export function keyboardOf(page: Page): KeyboardUser {
  const walk = async (control: Locator, keyOf: (report: FocusReport) => string): Promise<void> => {
    await expect(control).toBeEnabled();
    await expect.poll(() => control.evaluate(whereFocusWasLost), "where the focus was lost").toBe("");
    const outOfSight = async () => {
      await page.evaluate(scrollToFocus);
      return (await control.evaluate(lookAtFocus)).outOfSight;
    };
    // Found once, as finding it by its role takes longer than all else at a stop; and again when the page has put another in its place.
    let found = await control.elementHandle();
    for (let stop = 0; stop < MAX_STOPS; stop += 1) {
      let report = await (found ?? control).evaluate(lookAtFocus);
      if (report.isGone) {
        found = await control.elementHandle();
        report = await (found ?? control).evaluate(lookAtFocus);
      }
      expect(report.trouble, `on the way to ${control.toString()}`).toBe("");
      // A passing message may cover it, and late content may move it out of the window.
      if (report.outOfSight !== "") await expect.poll(outOfSight, "what has the focus out of sight").toBe("");
      if (report.isThere) return;
      await page.keyboard.press(keyOf(report));
    }
    throw new Error(`No key leads to ${control.toString()}.`);
  };
  const reach = (control: Locator) => walk(control, ({ key }) => key);
  const press = async (control: Locator, key = "Enter"): Promise<void> => {
    await reach(control);
    await page.keyboard.press(key);
  };
  return {
    reach,
    press,
    async type(field, text) {
      await press(field, "ControlOrMeta+A");
      await page.keyboard.type(text);
    },
    async choose(button, entry) {
      await press(button);
      await expect(page.getByRole("menu")).toBeVisible();
      await walk(page.getByRole("menuitem", { name: entry, exact: true }), () => "ArrowDown");
      await page.keyboard.press("Enter");
    },
  };
}
