import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { CodeBlock } from "./code-block.tsx";

test("code that is scrolled with the keyboard says what it is", async () => {
  await renderPage(<CodeBlock code="curl localhost" />);
  const code = screen.getByRole("group", { name: "Code" });
  expect([code.tabIndex, code.textContent]).toEqual([0, "curl localhost"]);
});
