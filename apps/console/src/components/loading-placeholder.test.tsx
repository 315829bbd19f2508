import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../testing/render-page.tsx";
import { LoadingPlaceholder } from "./loading-placeholder.tsx";

test.each([
  ["[TEXT-11]", { prompt: "settings" }, "loading settings ..."],
  ["[TEXT-12]", {}, "loading page ..."],
])("%s a page that loads says so", async (_line, props, text) => {
  await renderPage(<LoadingPlaceholder {...props} />);
  expect(screen.getByRole("status").textContent).toBe(text);
});
