import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import { ApiError } from "../../lib/api/api-error.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { FormPage } from "./form-page.tsx";
import { FormSection } from "./form-section.tsx";

interface NameValues {
  name: string;
}

type Save = (values: NameValues) => Promise<void>;

function NameForm({ save, onSaved }: { save: Save; onSaved: () => void }) {
  const form = useForm<NameValues>({
    initialValues: { name: "" },
    validate: { name: (name) => (name === "" ? "Enter a name." : null) },
  });
  return (
    <FormPage title="Name" backPath="/back" form={form} save={save} onSaved={onSaved}>
      <FormSection title="General">
        <TextInput label="The name" {...form.getInputProps("name")} />
      </FormSection>
    </FormPage>
  );
}

const nothing = () => undefined;

test("an invalid form is not sent: a summary takes the focus and leads to the field", async () => {
  const save = vi.fn<Save>(() => Promise.resolve());
  await renderPage(<NameForm save={save} onSaved={nothing} />, { address: "/form" });
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  const summary = await screen.findByRole("alert");
  await waitFor(() => expect(document.activeElement).toBe(summary));
  expect(summary.textContent).toContain("One field needs your attention");
  await userEvent.click(screen.getByRole("button", { name: "Enter a name." }));
  expect(document.activeElement).toBe(screen.getByLabelText("The name"));
  expect(save).not.toHaveBeenCalled();
});

test("a press on the button of a form leaves its field at the end: an error that appears before would move the button", async () => {
  const save = vi.fn<Save>(() => Promise.resolve());
  await renderPage(<NameForm save={save} onSaved={nothing} />, { address: "/form" });
  const field = await screen.findByLabelText("The name");
  await userEvent.type(field, "Main");
  const button = screen.getByRole("button", { name: "Save" });
  await userEvent.pointer([{ keys: "[MouseLeft>]", target: button }]);
  expect(document.activeElement).toBe(field);
  await userEvent.click(button);
  expect(document.activeElement).not.toBe(field);
  expect(save).toHaveBeenCalledOnce();
});

function TwoNamesForm() {
  const missing = (name: string) => (name === "" ? "Fill in both names." : null);
  const form = useForm({ initialValues: { first: "", last: "" }, validate: { first: missing, last: missing } });
  return (
    <FormPage title="Names" backPath="/back" form={form} save={() => Promise.resolve()} onSaved={nothing}>
      <TextInput label="First" {...form.getInputProps("first")} />
      <TextInput label="Last" {...form.getInputProps("last")} />
    </FormPage>
  );
}

test("the summary says once what two fields lack alike, and leads to the first of them", async () => {
  await renderPage(<TwoNamesForm />, { address: "/form" });
  await userEvent.click(await screen.findByRole("button", { name: "Save" }));
  const summary = within(await screen.findByRole("alert"));
  expect(summary.getByText("2 fields need your attention")).toBeTruthy();
  await userEvent.click(summary.getByRole("button", { name: "Fill in both names." }));
  expect(document.activeElement).toBe(screen.getByLabelText("First"));
});

test("Ctrl+Enter saves", async () => {
  const save = vi.fn<Save>(() => Promise.resolve());
  const onSaved = vi.fn<() => void>();
  await renderPage(<NameForm save={save} onSaved={onSaved} />, { address: "/form" });
  await userEvent.type(await screen.findByLabelText("The name"), "Ann{Control>}{Enter}{/Control}");
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
  expect(save).toHaveBeenCalledExactlyOnceWith({ name: "Ann" });
});

test("a failed save keeps what was typed, says why at the field, and can be tried again", async () => {
  const refusal = new ApiError({
    kind: "refused",
    status: 200,
    message: "The name is taken.",
    field: "name",
    requestId: "r-9",
  });
  const save = vi.fn<Save>().mockRejectedValueOnce(refusal).mockResolvedValueOnce(undefined);
  const onSaved = vi.fn<() => void>();
  await renderPage(<NameForm save={save} onSaved={onSaved} />, { address: "/form" });
  const field = await screen.findByLabelText<HTMLInputElement>("The name");
  await userEvent.type(field, "Ann");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Not saved")).toBeTruthy();
  expect(screen.getAllByText("The name is taken.")).toHaveLength(2);
  expect(screen.getByText("request r-9")).toBeTruthy();
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(field.getAttribute("aria-invalid")).toBe("true");
  expect(field.value).toBe("Ann");
  await userEvent.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(onSaved).toHaveBeenCalledOnce());
});

test("unsaved changes are not left without asking", async () => {
  const { router } = await renderPage(<NameForm save={() => Promise.resolve()} onSaved={nothing} />, {
    address: "/form",
  });
  await userEvent.type(await screen.findByLabelText("The name"), "Ann");
  await userEvent.click(screen.getByRole("button", { name: "Cancel" }));
  expect(await screen.findByText("Discard unsaved changes?")).toBeTruthy();
  expect(router.state.location.pathname).toBe("/form");
  await userEvent.click(screen.getByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/back"));
});

function BlurForm({ save }: { save: Save }) {
  const form = useForm<NameValues>({ initialValues: { name: "" } });
  return (
    <FormPage title="Names" backPath="/back" form={form} save={save} onSaved={nothing}>
      <TextInput label="New name" onBlur={({ currentTarget: { value } }) => form.setFieldValue("name", value)} />
    </FormPage>
  );
}

test("a form that stays after its save keeps the focus on the pressed button", async () => {
  const save = vi.fn<Save>(() => Promise.resolve());
  await renderPage(<BlurForm save={save} />, { address: "/form" });
  await userEvent.type(await screen.findByLabelText("New name"), "typed");
  const button = screen.getByRole("button", { name: "Save" });
  button.focus();
  await userEvent.keyboard("{Enter}");
  await waitFor(() => expect(save).toHaveBeenCalledOnce());
  expect(document.activeElement).toBe(button);
});

test("Ctrl+Enter saves the entry that a field adds when it is left, and the field has the focus again", async () => {
  const save = vi.fn<Save>(() => Promise.resolve());
  await renderPage(<BlurForm save={save} />, { address: "/form" });
  await userEvent.type(await screen.findByLabelText("New name"), "typed");
  await userEvent.keyboard("{Control>}{Enter}{/Control}");
  await waitFor(() => expect(save).toHaveBeenCalledWith({ name: "typed" }));
  expect(document.activeElement).toBe(screen.getByLabelText("New name"));
});
