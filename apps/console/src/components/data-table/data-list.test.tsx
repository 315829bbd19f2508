import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { RowList } from "../../lib/api/api-client.ts";
import { removeListRow } from "../../lib/list/list-cache.ts";
import { restorePageSize } from "../../lib/list/list-place.ts";
import type { ListSource, PageRequest } from "../../lib/list/list-query.ts";
import { useListRows } from "../../lib/list/use-list-rows.ts";
import { useListSearch } from "../../lib/list/use-list-search.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { setScreenWidth } from "../../testing/screen-width.ts";
import type { DataColumn } from "./data-column.ts";
import { DataList } from "./data-list.tsx";
import { EmptyState } from "./empty-state.tsx";
import { TableView } from "./table-view.tsx";

interface Fruit {
  id: number;
  name: string;
  weight: number;
}

const columns: DataColumn<Fruit>[] = [
  { id: "name", header: "Name", card: "title", cell: (fruit) => fruit.name, isSortable: true },
  { id: "weight", header: "Weight", align: "right", cell: (fruit) => fruit.weight, isSortable: true },
];

const fruits = Array.from({ length: 113 }, (_fruit, index): Fruit => ({
  id: index + 1,
  name: `Fruit ${index + 1}`,
  weight: (index * 7) % 113,
}));

const drop = vi.fn<(id: number) => void>();

type FetchPage = (request: PageRequest) => Promise<RowList<readonly Fruit[]>>;

function FruitList({ fetchPage }: { fetchPage: FetchPage }) {
  const search = useListSearch();
  const source: ListSource<Fruit> = {
    queryKey: ["fruits", "list"],
    orders: ["name"],
    fetchPage,
    searchRows: async ({ keyword }) => {
      const rows = fruits.filter((fruit) => fruit.name.endsWith(keyword));
      return { rows, total: rows.length };
    },
  };
  const list = useListRows(source, search);
  return (
    <DataList
      id="fruits"
      label="Fruits"
      list={list}
      search={search}
      columns={columns}
      rowKey={(fruit) => fruit.id}
      rowName={(fruit) => fruit.name}
      rowActions={(fruit) => [
        { id: "eat", label: "Eat", icon: null },
        { id: "peel", label: "Peel", icon: null },
        {
          id: "drop",
          label: "Drop",
          icon: null,
          confirm: { title: "Drop it?", message: "It is gone then.", confirmLabel: "Drop" },
          onSelect: () => drop(fruit.id),
        },
      ]}
      searchPlaceholder="Search fruits"
      empty={<EmptyState title="No fruits yet" />}
    />
  );
}

/** Answers as the gateway does: a page of the size that is asked for, and the total. */
const gateway = () =>
  vi.fn<FetchPage>(async ({ p, size }) => ({ rows: fruits.slice(p * size, (p + 1) * size), total: fruits.length }));

const open = (fetchPage: FetchPage, address = "/fruits") =>
  renderPage(<FruitList fetchPage={fetchPage} />, { address });
const press = (name: string) => userEvent.click(screen.getByRole("button", { name }));
const asked = (fetchPage: ReturnType<typeof gateway>) => fetchPage.mock.calls.map(([request]) => request);

beforeEach(() => restorePageSize());

test("[CONST-10] [CONST-11] every page is one request, also the last one and one that the address names", async () => {
  // A page that was loaded is kept for a while: on a slow machine that would be over before the test is.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  const fetchPage = gateway();
  await open(fetchPage, "/fruits?page=6");
  expect(await screen.findByText("Fruit 101")).toBeTruthy();
  expect(asked(fetchPage)).toEqual([{ p: 5, size: 20 }]);
  expect(screen.getByText("101–113 of 113")).toBeTruthy();
  await press("First page");
  expect(await screen.findByText("Fruit 1")).toBeTruthy();
  await press("Last page");
  expect(await screen.findByText("Fruit 113")).toBeTruthy();
  await press("Previous page");
  expect(await screen.findByText("Fruit 81")).toBeTruthy();
  expect(asked(fetchPage).map(({ p }) => p)).toEqual([5, 0, 4]);
});

test("[CONST-12] [USER-22] the rows of the last page stay until those of the next are there", async () => {
  let answer: () => void = () => undefined;
  const waits = new Promise<void>((resolve) => (answer = resolve));
  const fetchPage = vi.fn<FetchPage>(async ({ p }) => {
    if (p > 0) await waits;
    return { rows: fruits.slice(p * 20, p * 20 + 20), total: 113 };
  });
  await open(fetchPage);
  await screen.findByText("Fruit 1");
  await press("Next page");
  await waitFor(() => expect(fetchPage).toHaveBeenCalledTimes(2));
  await waitFor(() => expect(screen.getByRole("table").getAttribute("aria-busy")).toBe("true"));
  expect(screen.getByText("Fruit 1")).toBeTruthy();
  answer();
  expect(await screen.findByText("Fruit 21")).toBeTruthy();
  expect(screen.queryByText("Fruit 1")).toBeNull();
});

test("a page beyond the end leads to the last one", async () => {
  const fetchPage = gateway();
  const { router } = await open(fetchPage, "/fruits?page=99");
  expect(await screen.findByText("Fruit 113")).toBeTruthy();
  expect(router.state.location.searchStr).toBe("?page=6");
});

test("a page can be typed; what is no page is taken back", async () => {
  await open(gateway());
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "Go to page" });
  await userEvent.type(field, "{Backspace}3{Enter}");
  expect(await screen.findByText("Fruit 41")).toBeTruthy();
  const again = screen.getByRole<HTMLInputElement>("textbox", { name: "Go to page" });
  await userEvent.type(again, "x{Enter}");
  expect(again.value).toBe("3");
});

test("the rows of a page are remembered, stand in no address, and the first shown row stays in sight", async () => {
  const fetchPage = gateway();
  const { router } = await open(fetchPage, "/fruits?page=4");
  expect(await screen.findByText("Fruit 61")).toBeTruthy();
  await userEvent.click(screen.getByRole("combobox", { name: "Rows per page" }));
  await userEvent.click(await screen.findByRole("option", { name: "50 per page" }));
  expect(await screen.findByText("Fruit 100")).toBeTruthy();
  expect(screen.getByText("Fruit 61")).toBeTruthy();
  expect(router.state.location.searchStr).toBe("?page=2");
  expect(localStorage.getItem("page_size")).toBe("50");
  expect(asked(fetchPage).at(-1)).toEqual({ p: 1, size: 50 });
});

test("a list that fits onto the smallest page offers no other ones", async () => {
  await open(vi.fn<FetchPage>(async () => ({ rows: fruits.slice(0, 10), total: 10 })));
  expect(await screen.findByText("1–10 of 10")).toBeTruthy();
  expect(screen.queryByRole("combobox", { name: "Rows per page" })).toBeNull();
});

test("[USER-21] the server sorts the columns that it can, over all pages; page 1 comes first", async () => {
  const fetchPage = gateway();
  const { router } = await open(fetchPage, "/fruits?page=2");
  const head = await screen.findByRole("columnheader", { name: "Name" });
  await userEvent.click(within(head).getByRole("button"));
  await waitFor(() => expect(head.getAttribute("aria-sort")).toBe("ascending"));
  await userEvent.click(within(head).getByRole("button"));
  await waitFor(() => expect(head.getAttribute("aria-sort")).toBe("descending"));
  expect(router.state.location.searchStr).toBe("?sort=-name");
  expect(asked(fetchPage).slice(1)).toEqual([
    { p: 0, size: 20, order: "name", direction: "asc" },
    { p: 0, size: 20, order: "name", direction: "desc" },
  ]);
});

test("a head that is pressed twice reverses, also before its rows come", async () => {
  const { router } = await open(gateway());
  const head = within(await screen.findByRole("columnheader", { name: "Name" })).getByRole("button");
  fireEvent.click(head);
  fireEvent.click(head);
  await waitFor(() => expect(router.state.location.searchStr).toBe("?sort=-name"));
});

const askToDrop = async () => {
  const more = await screen.findByRole("button", { name: "More actions for Fruit 1" });
  await userEvent.click(more);
  await userEvent.click(await screen.findByRole("menuitem", { name: "Drop" }));
  return within(await screen.findByRole("dialog", { name: "Drop it?" }));
};

test("a question that is not answered gives the focus back to the row's menu", async () => {
  await open(gateway());
  const dialog = await askToDrop();
  await userEvent.click(dialog.getByRole("button", { name: "Cancel" }));
  await waitFor(() =>
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "More actions for Fruit 1" })),
  );
});

test("when a row is deleted, the focus goes to the list", async () => {
  const left = fruits.slice(0, 3);
  const { client } = await open(async () => ({ rows: [...left], total: left.length }));
  drop.mockImplementation(() => {
    left.shift();
    removeListRow(client, ["fruits", "list"], 1);
  });
  const dialog = await askToDrop();
  await userEvent.click(dialog.getByRole("button", { name: "Drop" }));
  await waitFor(() => expect(screen.queryByText("Fruit 1")).toBeNull());
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("region", { name: "Fruits" })));
});

test("two actions stand in a row, the rest in its menu", async () => {
  await open(async () => ({ rows: fruits.slice(0, 1), total: 1 }));
  await screen.findByText("Fruit 1");
  const cells = within(screen.getByRole("table"));
  expect(cells.getByRole("button", { name: "Eat Fruit 1" })).toBeTruthy();
  expect(cells.getByRole("button", { name: "Peel Fruit 1" })).toBeTruthy();
  expect(cells.queryByRole("button", { name: /Drop/ })).toBeNull();
});

test("a column that is put away is remembered; those that name the row cannot be", async () => {
  const view = await open(gateway());
  await screen.findByText("Fruit 1");
  await press("Columns");
  expect((await screen.findAllByRole("menuitemcheckbox")).map((entry) => entry.textContent)).toEqual([
    "Weight",
    "Compact rows",
  ]);
  expect(screen.queryByRole("menuitem", { name: "Reset columns" })).toBeNull();
  await userEvent.click(screen.getByRole("menuitemcheckbox", { name: "Weight" }));
  await waitFor(() => expect(screen.queryByRole("columnheader", { name: "Weight" })).toBeNull());
  view.unmount();
  await open(gateway());
  await screen.findByText("Fruit 1");
  expect(screen.queryByRole("columnheader", { name: "Weight" })).toBeNull();
  await press("Columns");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Reset columns" }));
  expect(await screen.findByRole("columnheader", { name: "Weight" })).toBeTruthy();
  expect(localStorage.getItem("columns")).toBe('{"fruits":{}}');
});

test("names are made wider with the keyboard, which is remembered, until all of the columns is put back", async () => {
  const widthPx = vi.spyOn(HTMLElement.prototype, "offsetWidth", "get").mockReturnValue(200);
  onTestFinished(() => widthPx.mockRestore());
  const view = await open(gateway());
  await screen.findByText("Fruit 1");
  const width = () => screen.getByRole("columnheader", { name: "Name" }).style.width;
  screen.getByRole("button", { name: "Name" }).focus();
  await userEvent.keyboard("{ArrowRight}");
  expect(width()).toBe("");
  await userEvent.keyboard("{Shift>}{ArrowRight}{/Shift}");
  await waitFor(() => expect(width()).toBe("216px"));
  await userEvent.keyboard("{Shift>}{ArrowLeft}{/Shift}");
  await waitFor(() => expect(width()).toBe("184px"));
  view.unmount();
  await open(gateway());
  await screen.findByText("Fruit 1");
  expect(width()).toBe("184px");
  await press("Columns");
  await userEvent.click(await screen.findByRole("menuitem", { name: "Reset columns" }));
  await waitFor(() => expect(width()).toBe(""));
  expect(localStorage.getItem("column_widths")).toBe('{"fruits":{}}');
});

test("a page of a hundred rows stands whole, and none of its rows is made twice", async () => {
  const made: number[] = [];
  const [name, ...others] = columns;
  if (name === undefined) throw new Error("there is no column of names");
  const counted = { ...name, cell: (fruit: Fruit) => (made.push(fruit.id), fruit.name) };
  const rows = fruits.slice(0, 100);
  await renderPage(
    <TableView
      label="Fruits"
      rows={rows}
      columns={[counted, ...others]}
      rowKey={(fruit) => fruit.id}
      rowName={(fruit) => fruit.name}
    />,
    { address: "/fruits" },
  );
  expect(await screen.findByText("Fruit 100")).toBeTruthy();
  expect(screen.getAllByRole("row")).toHaveLength(101);
  expect(made).toEqual(rows.map(({ id }) => id));
});

test("rows are low where that was chosen, in every table, and the browser remembers it", async () => {
  await open(gateway());
  await screen.findByText("Fruit 1");
  const compact = () => screen.getByRole("table").dataset["compact"];
  expect(compact()).toBe("false");
  await press("Columns");
  await userEvent.click(await screen.findByRole("menuitemcheckbox", { name: "Compact rows" }));
  await waitFor(() => expect(compact()).toBe("true"));
  expect(localStorage.getItem("row_height")).toBe("compact");
  await userEvent.click(screen.getByRole("menuitemcheckbox", { name: "Compact rows" }));
  await waitFor(() => expect(compact()).toBe("false"));
  expect(localStorage.getItem("row_height")).toBeNull();
});

test("a deleted row makes room for the next one of the list", async () => {
  const left = fruits.slice(0, 25);
  const fetchPage = vi.fn<FetchPage>(async ({ p, size }) => ({
    rows: left.slice(p * size, (p + 1) * size),
    total: left.length,
  }));
  const { client } = await open(fetchPage);
  await screen.findByText("Fruit 20");
  left.splice(4, 1);
  act(() => removeListRow(client, ["fruits", "list"], 5));
  await waitFor(() => expect(screen.queryByText("Fruit 5")).toBeNull());
  expect(await screen.findByText("Fruit 21")).toBeTruthy();
  expect(fetchPage).toHaveBeenCalledTimes(2);
});

test("a search that finds nothing says so and clears itself, which is not the empty list", async () => {
  await renderPage(<FruitList fetchPage={gateway()} />, { address: "/fruits" });
  await userEvent.type(await screen.findByRole("searchbox"), "zzz{Enter}");
  expect(await screen.findByText("No results")).toBeTruthy();
  expect(screen.queryByText("No fruits yet")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(await screen.findByText("Fruit 1")).toBeTruthy();
});

test("what is typed while a search comes back stays", async () => {
  const { router } = await open(gateway());
  const field = await screen.findByRole<HTMLInputElement>("searchbox");
  await userEvent.type(field, "10{Enter}");
  fireEvent.change(field, { target: { value: "103" } });
  await waitFor(() => expect(router.state.location.searchStr).toBe("?keyword=10"));
  expect(field.value).toBe("103");
  await waitFor(() => expect(router.state.location.searchStr).toBe("?keyword=103"));
});

test("a list without rows teaches what belongs there", async () => {
  await renderPage(<FruitList fetchPage={async () => ({ rows: [], total: 0 })} />, { address: "/fruits" });
  expect(await screen.findByText("No fruits yet")).toBeTruthy();
});

test("on a narrow screen a card's button has the focus again after its sheet, and after a question that is not answered", async () => {
  setScreenWidth(360);
  await open(gateway());
  const dots = await screen.findByRole("button", { name: "Actions for Fruit 1" });
  await userEvent.click(dots);
  await screen.findByRole("button", { name: "Drop" });
  await userEvent.keyboard("{Escape}");
  await waitFor(() => expect(document.activeElement, "after the sheet").toBe(dots));
  await userEvent.click(dots);
  await userEvent.click(await screen.findByRole("button", { name: "Drop" }));
  const question = within(await screen.findByRole("dialog", { name: "Drop it?" }));
  await userEvent.click(question.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(document.activeElement, "after the question").toBe(dots));
});

test("on a narrow screen rows are cards with labelled fields and one button for all actions", async () => {
  setScreenWidth(360);
  await renderPage(<FruitList fetchPage={gateway()} />, { address: "/fruits" });
  await screen.findByText("Fruit 1");
  expect(screen.queryByRole("table")).toBeNull();
  const cards = within(screen.getByRole("list", { name: "Fruits" })).getAllByRole("listitem");
  expect(cards).toHaveLength(20);
  const [first] = cards;
  if (first === undefined) throw new Error("there is no card");
  expect(within(first).getByText("Weight").tagName).toBe("DT");
  await userEvent.click(within(first).getByRole("button", { name: "Actions for Fruit 1" }));
  expect(await screen.findByRole("button", { name: "Eat" })).toBeTruthy();
});
