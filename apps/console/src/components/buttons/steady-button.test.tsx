import { ActionIcon, Button, TextInput } from "@mantine/core";
import { screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { type FormEvent, useState } from "react";
import { expect, test, vi } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { ButtonLink } from "./button-link.tsx";

function SavingForm({ onSave }: { onSave(): void }) {
  const [isSaving, setSaving] = useState(false);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setSaving(true);
    onSave();
  };
  return (
    <form onSubmit={submit}>
      <TextInput label="Name" />
      <Button type="submit" loading={isSaving}>
        Save
      </Button>
    </form>
  );
}

test("the button of a form that is being saved keeps the focus, and neither a press nor Enter saves again", async () => {
  const save = vi.fn<() => void>();
  await renderPage(<SavingForm onSave={save} />);
  const button = screen.getByRole("button", { name: "Save" });
  await userEvent.click(button);
  // Browsers take the focus from a disabled button, which jsdom does not.
  expect([document.activeElement, button.hasAttribute("disabled")]).toEqual([button, false]);
  expect(button.getAttribute("aria-disabled")).toBe("true");
  await userEvent.keyboard("{Enter}");
  await userEvent.type(screen.getByLabelText("Name"), "Ada{Enter}");
  expect(save).toHaveBeenCalledTimes(1);
});

test("icons that load keep the focus too; a press of them does nothing else", async () => {
  const [press, open] = [vi.fn<() => void>(), vi.fn<() => void>()];
  await renderPage(
    <div role="presentation" onClick={open}>
      <ActionIcon loading aria-label="Test" onClick={press} />
    </div>,
  );
  const icon = screen.getByRole("button", { name: "Test" });
  await userEvent.click(icon);
  expect([icon.hasAttribute("disabled"), press.mock.calls.length, open.mock.calls.length]).toEqual([false, 0, 0]);
});

test("what is disabled stays so while it loads, links stay links, and a button submits only where it says so", async () => {
  await renderPage(
    <>
      <Button disabled loading>
        Off
      </Button>
      <Button>Plain</Button>
      <ButtonLink to="/token">Tokens</ButtonLink>
    </>,
  );
  expect(screen.getByRole("button", { name: "Off" }).hasAttribute("disabled")).toBe(true);
  expect(screen.getByRole("button", { name: "Plain" }).getAttribute("type")).toBe("button");
  expect(screen.getByRole("link", { name: "Tokens" }).getAttribute("href")).toBe("/token");
});
