import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../../testing/render-page.tsx";
import { CodeBlock } from "./code-block.tsx";

test("long lines break between names, never within one, and the text stays the same", async () => {
  const code = `export MODEL='gpt-4o-mini'\ncurl http://localhost/v1`;
  await renderPage(<CodeBlock code={code} />);
  const block = screen.getByRole("group", { name: "Code" });
  expect(block.textContent).toBe(code);
  expect(screen.getByText("'gpt-4o-mini'").tagName).toBe("SPAN");
  const before = [...block.querySelectorAll("wbr")].map(({ previousSibling: piece }) => piece?.textContent);
  expect(before).toEqual(expect.arrayContaining(["MODEL=", "'gpt-4o-mini'", "http:", "localhost/", "v1"]));
});

test("code that is scrolled with the keyboard says what it is", async () => {
  await renderPage(<CodeBlock code="curl localhost" />);
  const code = screen.getByRole("group", { name: "Code" });
  expect([code.tabIndex, code.textContent]).toEqual([0, "curl localhost"]);
});
