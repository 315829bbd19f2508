import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { renderPage } from "../testing/render-page.tsx";
import { LoadingPlaceholder } from "./loading-placeholder.tsx";

test.each([
  ["[TEXT-11]", <LoadingPlaceholder prompt="settings" />, "loading settings ..."],
  ["[TEXT-12]", <LoadingPlaceholder />, "loading page ..."],
])("%s a page that loads says so", async (_line, placeholder, text) => {
  await renderPage(placeholder);
  expect(screen.getByRole("status").textContent).toBe(text);
});
