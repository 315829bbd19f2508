import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import { laterPart } from "./later-part.ts";

beforeEach(() => vi.spyOn(console, "error").mockReturnValue());

const Menu = () => <p>the menu</p>;

function pageWith(Part: ReturnType<typeof laterPart<object>>) {
  return function Page() {
    const [presses, setPresses] = useState(0);
    const button = (
      <button type="button" onClick={() => setPresses(presses + 1)}>
        open
      </button>
    );
    return <Part timesWanted={presses} instead={button} props={{}} />;
  };
}

test("a part that does not come leaves the page as it is, and the next press asks for it again", async () => {
  const load = vi
    .fn<() => Promise<{ default: typeof Menu }>>()
    .mockRejectedValueOnce(new Error("gone"))
    .mockRejectedValueOnce(new Error("gone"))
    .mockResolvedValue({ default: Menu });
  const Page = pageWith(laterPart(load));
  render(<Page />);
  await userEvent.click(screen.getByRole("button"));
  expect(screen.getByRole("button")).toBeDefined();
  await userEvent.click(screen.getByRole("button"));
  expect(await screen.findByText("the menu")).toBeDefined();
});

test("a part that is there is shown with the first paint of what needs it", async () => {
  const load = vi.fn<() => Promise<{ default: typeof Menu }>>().mockResolvedValue({ default: Menu });
  const Page = pageWith(laterPart(load));
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce());
  await Promise.resolve();
  render(<Page />);
  expect(await screen.findByText("the menu")).toBeDefined();
});
