import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test, vi } from "vitest";
import type { RowList } from "../../lib/api-client.ts";
import { useListRows } from "../../lib/use-list-rows.ts";
import { useListSearch } from "../../lib/use-list-search.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { setScreenWidth } from "../../testing/screen-width.ts";
import type { DataColumn } from "./data-column.ts";
import { DataList } from "./data-list.tsx";
import { EmptyState } from "./empty-state.tsx";

interface Fruit {
  id: number;
  name: string;
  weight: number;
}

const columns: DataColumn<Fruit>[] = [
  { id: "name", header: "Name", card: "title", cell: (fruit) => fruit.name, sortBy: (fruit) => fruit.name },
  { id: "weight", header: "Weight", align: "right", cell: (fruit) => fruit.weight, sortBy: (fruit) => fruit.weight },
];

const fruits = Array.from({ length: 13 }, (_fruit, index): Fruit => ({
  id: index + 1,
  name: `Fruit ${index + 1}`,
  weight: (index * 7) % 13,
}));

type FetchPage = (page: number) => Promise<RowList<readonly Fruit[]>>;

function FruitList({ fetchPage }: { fetchPage: FetchPage }) {
  const search = useListSearch();
  const list = useListRows({
    queryKey: ["fruits", "list"],
    page: search.page,
    keyword: search.keyword,
    fetchPage,
    searchRows: async (keyword) => ({ rows: fruits.filter((fruit) => fruit.name.endsWith(keyword)), total: undefined }),
  });
  return (
    <DataList
      label="Fruits"
      list={list}
      search={search}
      columns={columns}
      rowKey={(fruit) => fruit.id}
      rowName={(fruit) => fruit.name}
      rowActions={() => [{ id: "eat", label: "Eat", icon: null }]}
      searchPlaceholder="Search fruits"
      empty={<EmptyState title="No fruits yet" />}
    />
  );
}

function pagesOf(total: number | undefined) {
  return vi.fn<FetchPage>(async (page) => ({ rows: fruits.slice(page * 10, page * 10 + 10), total }));
}

const names = () => screen.getAllByText(/^Fruit \d+$/).map((cell) => cell.textContent);

test("moving past the last loaded page fetches the next one, moving back fetches nothing", async () => {
  const fetchPage = pagesOf(13);
  await renderPage(<FruitList fetchPage={fetchPage} />, { address: "/fruits" });
  expect(await screen.findByText("Page 1 of 2")).toBeTruthy();
  expect(fetchPage.mock.calls.map(([page]) => page)).toEqual([0]);
  await userEvent.click(screen.getByRole("button", { name: "Next page" }));
  expect(await screen.findByText("Fruit 13")).toBeTruthy();
  expect(names()).toEqual(["Fruit 11", "Fruit 12", "Fruit 13"]);
  await userEvent.click(screen.getByRole("button", { name: "Previous page" }));
  expect(await screen.findByText("Fruit 1")).toBeTruthy();
  expect(fetchPage.mock.calls.map(([page]) => page)).toEqual([0, 1]);
});

test("pages can be turned when the server does not say how many rows there are", async () => {
  await renderPage(<FruitList fetchPage={pagesOf(undefined)} />, { address: "/fruits" });
  expect(await screen.findByText("Page 1")).toBeTruthy();
  await userEvent.click(screen.getByRole("button", { name: "Next page" }));
  expect(await screen.findByText("Fruit 13")).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Next page" }).disabled).toBe(true);
});

test("an address with a page opens at that page", async () => {
  await renderPage(<FruitList fetchPage={pagesOf(13)} />, { address: "/fruits?page=2" });
  expect(await screen.findByText("Fruit 13")).toBeTruthy();
});

test("pressing a column's head sorts by it, pressing again reverses", async () => {
  await renderPage(<FruitList fetchPage={pagesOf(13)} />, { address: "/fruits" });
  const head = await screen.findByRole("columnheader", { name: "Weight" });
  await screen.findByText("Fruit 1");
  await userEvent.click(within(head).getByRole("button"));
  expect(head.getAttribute("aria-sort")).toBe("ascending");
  const ascending = names();
  expect(ascending[0]).toBe("Fruit 1");
  await userEvent.click(within(head).getByRole("button"));
  expect(head.getAttribute("aria-sort")).toBe("descending");
  expect(names()).toEqual(ascending.toReversed());
});

test("a search that finds nothing says so and clears itself, which is not the empty list", async () => {
  await renderPage(<FruitList fetchPage={pagesOf(13)} />, { address: "/fruits" });
  await userEvent.type(await screen.findByRole("searchbox"), "zzz{Enter}");
  expect(await screen.findByText("No match")).toBeTruthy();
  expect(screen.queryByText("No fruits yet")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Clear filters" }));
  expect(await screen.findByText("Fruit 1")).toBeTruthy();
});

test("a list without rows teaches what belongs there", async () => {
  await renderPage(<FruitList fetchPage={async () => ({ rows: [], total: 0 })} />, { address: "/fruits" });
  expect(await screen.findByText("No fruits yet")).toBeTruthy();
});

test("on a narrow screen rows are cards with labelled fields and one button for all actions", async () => {
  setScreenWidth(360);
  await renderPage(<FruitList fetchPage={pagesOf(13)} />, { address: "/fruits" });
  await screen.findByText("Fruit 1");
  expect(screen.queryByRole("table")).toBeNull();
  const cards = within(screen.getByRole("list", { name: "Fruits" })).getAllByRole("listitem");
  expect(cards).toHaveLength(10);
  const [first] = cards;
  if (first === undefined) throw new Error("there is no card");
  expect(within(first).getByText("Weight").tagName).toBe("DT");
  await userEvent.click(within(first).getByRole("button", { name: "Actions for Fruit 1" }));
  expect(await screen.findByRole("button", { name: "Eat" })).toBeTruthy();
});
