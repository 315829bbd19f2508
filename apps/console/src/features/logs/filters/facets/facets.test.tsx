import { ROLE } from "@one-api/contract/accounts/roles";
import { screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test } from "vitest";
import { clearUser } from "../../../../lib/state/session.ts";
import { logIn, logOf, open, resetServed, serve, served } from "../../testing/serve-logs.tsx";

beforeEach(() => {
  clearUser();
  resetServed();
});

test("facets that start open load once the page stands, the others when they are opened", async () => {
  logIn(ROLE.admin);
  serve([logOf()]);
  await open();
  const asked = () => served.facetsAsked.map(({ searchParams }) => searchParams.get("field"));
  await waitFor(() => expect(new Set(asked())).toEqual(new Set(["alias", "model_name", "result"])));
  await userEvent.click(screen.getByRole("button", { name: "Username" }));
  await waitFor(() => expect(asked()).toContain("username"));
  await userEvent.click(screen.getByRole("button", { name: "Result" }));
  expect(screen.getByRole("button", { name: "Result" }).getAttribute("aria-expanded")).toBe("false");
});

test("a facet shows how many entries of the other filters have each value", async () => {
  logIn(ROLE.admin);
  const asked = serve([logOf()]);
  served.facets.model_name = Array.from({ length: 9 }, (_, index) => {
    return { value: `m${index}`, label: `m${index}`, entries: 1_000 - index };
  });
  const { router } = await open("/log?model_name=m1&username=tom");
  const facet = within(await screen.findByRole("region", { name: "Model name" }));
  await screen.findByRole("table");
  const value = await facet.findByRole("button", { name: "m1 999" });
  expect(value.getAttribute("aria-pressed")).toBe("true");
  const query = served.facetsAsked.find(({ searchParams }) => searchParams.get("field") === "model_name")?.searchParams;
  expect([query?.get("field"), query?.get("model_name"), query?.get("username")]).toEqual(["model_name", "", "tom"]);
  expect(facet.queryByText("m8")).toBeNull();
  await userEvent.click(facet.getByRole("button", { name: "2 more" }));
  await userEvent.click(facet.getByRole("button", { name: "m8 992" }));
  await waitFor(() => expect(asked.at(-1)?.searchParams.getAll("model_name")).toEqual(["m1", "m8"]));
  await userEvent.click(await facet.findByRole("button", { name: "m8 992", pressed: true }));
  await waitFor(() => expect(router.state.location.href).toBe("/log?model_name=m1&username=tom"));
});

test("a facet takes several values, which list, chart, address and chips have, and each can be left alone", async () => {
  logIn(ROLE.admin);
  const asked = serve([logOf()]);
  served.facets.model_name = ["m1", "m2", "m3"].map((value) => ({ value, label: value, entries: 5 }));
  const { router } = await open("/log?model_name=m1");
  const facet = within(await screen.findByRole("region", { name: "Model name" }));
  await userEvent.click(await facet.findByRole("button", { name: "m2 5" }));
  const lastOf = (urls: readonly URL[]) => urls.at(-1)?.searchParams.getAll("model_name");
  await waitFor(() => expect(lastOf(asked)).toEqual(["m1", "m2"]));
  await waitFor(() => expect(lastOf(served.counted)).toEqual(["m1", "m2"]));
  expect(router.state.location.href).toBe("/log?model_name=m1&model_name=m2");
  expect(facet.getAllByRole("button", { pressed: true }).map(({ textContent }) => textContent)).toEqual([
    "m1 5",
    "m2 5",
  ]);
  expect(screen.getByRole("columnheader", { name: "Model" })).toBeTruthy();

  await userEvent.click(screen.getByRole("button", { name: "Remove filter Model name m1" }));
  await waitFor(() => expect(lastOf(asked)).toEqual(["m2"]));
  await userEvent.click(facet.getByRole("button", { name: "m2 5" }));
  await waitFor(() => expect(router.state.location.href).toBe("/log"));
});

test("the facet of results shows those that occur, and all errors together", async () => {
  logIn(ROLE.user);
  const asked = serve([logOf()]);
  served.facets.result = [
    { value: "ok", label: "ok", entries: 40 },
    { value: "timeout", label: "timeout", entries: 2 },
    { value: "cut", label: "cut", entries: 1 },
  ];
  await open();
  const facet = within(await screen.findByRole("region", { name: "Result" }));
  await facet.findByRole("button", { name: "Timed out 2" });
  const values = within(facet.getByRole("list")).getAllByRole("button");
  expect(values.map(({ textContent }) => textContent)).toEqual(["Not OK 3", "OK 40", "Interrupted 1", "Timed out 2"]);
  expect(served.facetsAsked[0]?.pathname).toBe("/api/log/self/facet");
  await userEvent.click(facet.getByRole("button", { name: "Not OK 3" }));
  await waitFor(() => expect(asked.at(-1)?.searchParams.get("result")).toBe("errors"));
});
