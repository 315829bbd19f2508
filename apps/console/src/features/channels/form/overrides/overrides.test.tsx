import { findOverrideProblem } from "@one-api/contract/channels/overrides/overrides";
import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { renderPage } from "../../../../testing/render-page.tsx";
import { OverridesPreview } from "./overrides-preview.tsx";
import { OverridesTable } from "./overrides-table.tsx";
import { readOverrides, writeOverrides } from "./overrides-text.ts";

function Overrides({ first }: { first: string }) {
  const [value, setValue] = useState(first);
  return (
    <>
      <OverridesTable label="Overrides" description="" error={undefined} value={value} onChange={setValue} />
      <OverridesPreview text={value} model="gpt-4o" />
      <output aria-label="JSON">{value}</output>
    </>
  );
}

test("overrides are read and written without a loss; a field's value is JSON, or a text without quotes", () => {
  const written = JSON.stringify(
    {
      headers: { set: { "User-Agent": "1" }, remove: ["anthropic-beta"] },
      body: {
        set: { "reasoning.effort": "low", seed: "7", stop: ["a"] },
        default: { temperature: 0.2 },
        remove: ["top_k"],
      },
    },
    undefined,
    2,
  );
  const rows = readOverrides(written) ?? [];
  expect(rows.map(({ value }) => value)).toEqual(["1", "", "low", '"7"', '["a"]', "0.2", ""]);
  expect(writeOverrides(rows)).toBe(written);
  expect([readOverrides(""), writeOverrides([]), readOverrides("{")]).toEqual([[], "", undefined]);
  const unnamed = { id: 0, where: "body", action: "set", name: " ", value: "" } as const;
  expect(writeOverrides([unnamed])).toBe("");
  const lost = writeOverrides([{ ...unnamed, value: "1" }]);
  expect(findOverrideProblem(lost)?.code, "a value without a name is refused").toBe("field-name");
});

test("a row changes the request of the preview at once, and a refused field is named", async () => {
  await renderPage(<Overrides first='{"body":{"remove":["top_k"]}}' />, { texts: ["channel-form"] });
  const lines = () => within(screen.getByRole("list", { name: "Body" })).getAllByRole("listitem");
  const changed = () => lines().flatMap((line) => (line.dataset["change"] === "same" ? [] : [line.textContent]));
  expect(changed()).toEqual(['−Removed: "top_k": "…"']);
  await userEvent.click(screen.getByRole("button", { name: "Add row" }));
  const [, name] = screen.getAllByRole("textbox", { name: "Name" });
  const [, value] = screen.getAllByRole("textbox", { name: "Value" });
  await userEvent.type(name ?? document.body, "temperature");
  await userEvent.type(value ?? document.body, "0.5");
  expect(changed()).toEqual(['−Removed: "temperature": 1', '+Added: "temperature": 0.5', '−Removed: "top_k": "…"']);
  expect(JSON.parse(screen.getByLabelText("JSON").textContent)).toEqual({
    body: { set: { temperature: 0.5 }, remove: ["top_k"] },
  });
  await userEvent.selectOptions(screen.getAllByRole("combobox", { name: "Part" })[1] ?? document.body, "Header");
  await userEvent.clear(name ?? document.body);
  await userEvent.type(name ?? document.body, "Authorization");
  expect(screen.getByText(/would carry/).textContent).toBe(
    "Authorization would carry a credential. Put it into the key, which is stored encrypted.",
  );
});
