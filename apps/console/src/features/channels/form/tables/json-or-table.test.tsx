import { screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { useState } from "react";
import { expect, test } from "vitest";
import { JsonEditor } from "../../../../components/form/json-editor.tsx";
import { renderPage } from "../../../../testing/render-page.tsx";
import { JsonOrTable } from "./json-or-table.tsx";
import { MappingTable } from "./mapping-table.tsx";
import { readMapping } from "./mapping-text.ts";

function Mapping() {
  const [value, setValue] = useState('{"a":"b"}');
  const field = { label: "Mapping", value, onChange: setValue };
  return (
    <JsonOrTable
      label="Mapping"
      views={["json", "table"]}
      fitsTable={readMapping(value) !== undefined}
      json={<JsonEditor {...field} />}
      table={<MappingTable {...field} description="" error={undefined} />}
    />
  );
}

test("a mapping is edited as a table, and its JSON follows; broken JSON has no table", async () => {
  await renderPage(<Mapping />, { texts: ["channel-form"] });
  await userEvent.click(screen.getByRole("button", { name: "Table" }));
  await userEvent.click(screen.getByRole("button", { name: "Add row" }));
  const [, row] = within(screen.getByRole("table", { name: "Mapping" })).getAllByRole("textbox", {
    name: "Requested model",
  });
  const upstream = screen.getAllByRole("textbox", { name: "Upstream model" });
  await userEvent.type(row ?? document.body, "c");
  await userEvent.type(upstream[1] ?? document.body, "d");
  await userEvent.click(screen.getByRole("button", { name: "Remove row a" }));
  await userEvent.click(screen.getByRole("button", { name: "JSON" }));
  const json = screen.getByRole("textbox", { name: "Mapping" });
  expect(json).toHaveProperty("value", '{\n  "c": "d"\n}');
  await userEvent.type(json, "x");
  await userEvent.click(screen.getByRole("button", { name: "Table" }));
  expect(screen.getByText("Fix the JSON to edit it as a table.")).toBeTruthy();
});
