import { act, render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { changeLanguage, loadTexts } from "./i18n.ts";
import { useTranslation } from "./use-translation.ts";

test("a component renders again when the language changes, but not when texts of others arrive", async () => {
  const rendered = vi.fn<() => void>();
  function Words() {
    const { t } = useTranslation("common");
    rendered();
    return <p>{t("cancel")}</p>;
  }
  render(<Words />);
  expect(screen.getByText("Cancel")).toBeTruthy();
  await act(() => loadTexts(["what-if"]));
  expect(rendered).toHaveBeenCalledOnce();
  await act(() => changeLanguage("zh-CN"));
  expect(screen.getByText("取消")).toBeTruthy();
  await act(() => changeLanguage("en"));
});
