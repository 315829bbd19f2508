import { TextInput } from "@mantine/core";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { hasUnsavedWork } from "../../lib/state/unsaved-work.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { FormDialog } from "./form-dialog.tsx";

test("what was typed into a dialog counts as unsaved until the dialog is gone", async () => {
  const { unmount } = await renderPage(
    <FormDialog title="Name it" submitLabel="Save" onClose={() => undefined} onSubmit={() => undefined}>
      <TextInput label="Name" />
    </FormDialog>,
  );
  const field = await screen.findByLabelText("Name");
  expect(hasUnsavedWork()).toBe(false);
  await userEvent.type(field, "x");
  expect(hasUnsavedWork()).toBe(true);
  unmount();
  expect(hasUnsavedWork()).toBe(false);
});
