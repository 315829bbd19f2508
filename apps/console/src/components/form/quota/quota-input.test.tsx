import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { restoreStatus } from "../../../lib/state/stored-status.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import { QuotaInput } from "./quota-input.tsx";

const onQuota = vi.fn();

function Field() {
  const [quota, setQuota] = useState<number | string>(500_000);
  return (
    <QuotaInput
      label="Quota"
      value={quota}
      onChange={(next) => {
        setQuota(next);
        onQuota(next);
      }}
    />
  );
}

const field = () => screen.getByRole("textbox", { name: "Quota" });
const enter = async (text: string) => {
  await userEvent.clear(field());
  await userEvent.type(field(), text);
};

beforeEach(() => onQuota.mockReset());

test("a quota is entered in dollars, and the other unit is shown beside it", async () => {
  await renderPage(<Field />);
  expect(field()).toHaveProperty("value", "$1.00");
  await enter("2.50");
  expect(field()).toHaveProperty("value", "$2.50");
  expect(onQuota).toHaveBeenLastCalledWith(1_250_000);
  expect(screen.getByRole("button", { name: "1,250,000 quota" })).toBeTruthy();
});

test("the button beside the field switches the unit that is entered", async () => {
  await renderPage(<Field />);
  await userEvent.click(screen.getByRole("button", { name: "500,000 quota" }));
  expect(field()).toHaveProperty("value", "500,000");
  await enter("250000");
  expect(onQuota).toHaveBeenLastCalledWith(250_000);
  await userEvent.click(screen.getByRole("button", { name: "$0.50" }));
  expect(field()).toHaveProperty("value", "$0.50");
});

test("quota is entered first where the system does not show dollars", async () => {
  localStorage.setItem("display_in_currency", "false");
  restoreStatus();
  await renderPage(<Field />);
  expect(field()).toHaveProperty("value", "500,000");
});

test("an amount below one quota is rounded, and an empty field is no amount", async () => {
  await renderPage(<Field />);
  await enter("0.0000019");
  expect(onQuota).toHaveBeenLastCalledWith(1);
  await userEvent.clear(field());
  expect(onQuota).toHaveBeenLastCalledWith("");
});
