import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { renderPage } from "../../../testing/render-page.tsx";
import { ActionSheet, RowActions } from "./row-actions.tsx";

/** Two actions whose choices have the same ids, as the clients that a link is copied for and that open in a tab. */
const actions = (["Copy link", "Open chat"] as const).map((label) => ({
  id: label,
  label,
  icon: null,
  placement: "menu" as const,
  items: [{ id: "web", label: `${label} of the web client`, icon: null, onSelect: () => chosen(label) }],
}));
const chosen = vi.fn<(label: string) => void>();

test.each([
  ["menu", () => <RowActions actions={actions} name="Main" />, "More actions for Main", "menuitem"],
  ["sheet", () => <ActionSheet actions={actions} title="Main" />, "Actions for Main", "button"],
] as const)("two actions of a %s may offer choices of the same id", async (_where, Actions, opener, role) => {
  const complaints = vi.spyOn(console, "error");
  await renderPage(<Actions />);
  await userEvent.click(screen.getByRole("button", { name: opener }));
  await userEvent.click(await screen.findByRole(role, { name: "Open chat of the web client" }));
  expect(chosen.mock.lastCall).toEqual(["Open chat"]);
  expect(complaints).not.toHaveBeenCalled();
});
