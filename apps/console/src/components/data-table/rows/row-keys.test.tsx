import { screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test, vi } from "vitest";
import { useListRows } from "../../../lib/list/use-list-rows.ts";
import { useListSearch } from "../../../lib/list/use-list-search.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { DataList } from "../data-list.tsx";

const rows = ["Apple", "Banana", "Cherry", "Damson"].map((name, index) => ({ id: index + 1, name }));
const act = vi.fn<(what: string) => void>();

function Fruits() {
  const search = useListSearch();
  const [selected, onChange] = useState<ReadonlySet<number | string>>(new Set());
  const list = useListRows({ queryKey: ["fruits"], fetchPage: async () => ({ rows, total: rows.length }) }, search);
  return (
    <DataList
      id="fruits"
      label="Fruits"
      list={list}
      search={search}
      columns={[{ id: "name", header: "Name", card: "title", cell: ({ name }) => name }]}
      rowKey={({ id }) => id}
      rowName={({ name }) => name}
      rowActions={({ name }) => [{ id: "edit", label: "Edit", icon: null, onSelect: () => act(`edit ${name}`) }]}
      onOpenRow={({ name }) => act(`open ${name}`)}
      selection={{ selected, onChange }}
      searchPlaceholder="Search"
      empty={null}
    />
  );
}

const focused = () => document.activeElement?.closest("[data-row]")?.textContent;
const chosen = () =>
  screen
    .getAllByRole<HTMLInputElement>("checkbox", { name: /^Select (?!all)/ })
    .flatMap((box, index) => (box.checked ? [rows[index]?.name] : []));
const press = (keys: string) => userEvent.keyboard(keys);

async function open() {
  act.mockClear();
  await renderPage(<Fruits />, { address: "/fruits" });
  await screen.findByText("Apple");
}

test("j and k walk through the rows from anywhere on the page, the arrows from within the list", async () => {
  await open();
  await press("{ArrowDown}");
  expect(focused()).toBeUndefined();
  await press("j");
  expect(focused()).toContain("Apple");
  await press("{ArrowDown}j");
  expect(focused()).toContain("Cherry");
  await press("k{ArrowUp}{ArrowUp}");
  expect(focused()).toContain("Apple");
});

test("Enter opens the row and e edits it", async () => {
  await open();
  await press("jj{Enter}e");
  expect(act.mock.calls).toEqual([["open Banana"], ["edit Banana"]]);
});

test("x selects a row, and Shift with an arrow or a press extends and shortens the selection", async () => {
  await open();
  await press("jx");
  await waitFor(() => expect(chosen()).toEqual(["Apple"]));
  await press("{Shift>}{ArrowDown}{/Shift}");
  await waitFor(() => expect(chosen()).toEqual(["Apple", "Banana"]));
  await press("{Shift>}{ArrowDown}{/Shift}");
  await waitFor(() => expect(chosen()).toEqual(["Apple", "Banana", "Cherry"]));
  await press("{Shift>}{ArrowUp}{/Shift}");
  await waitFor(() => expect(chosen()).toEqual(["Apple", "Banana"]));
  await press("x");
  await waitFor(() => expect(chosen()).toEqual(["Apple"]));
  const user = userEvent.setup();
  await user.click(screen.getByRole("checkbox", { name: "Select Banana" }));
  await user.keyboard("{Shift>}");
  await user.click(screen.getByRole("checkbox", { name: "Select Damson" }));
  await waitFor(() => expect(chosen()).toEqual(["Apple", "Banana", "Cherry", "Damson"]));
});

test("letters that are typed into a field, or pressed with Ctrl, are no shortcuts", async () => {
  await open();
  await userEvent.type(screen.getByRole("searchbox"), "jxe");
  expect(screen.getByRole<HTMLInputElement>("searchbox").value).toBe("jxe");
  await userEvent.click(document.body);
  await press("{Control>}j{/Control}");
  expect([focused(), chosen(), act.mock.calls]).toEqual([undefined, [], []]);
});
