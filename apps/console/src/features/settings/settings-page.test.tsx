import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterProvider } from "@tanstack/react-router";
import { render, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { expect, test } from "vitest";
import { ConfirmProvider } from "../../components/dialogs/confirm.tsx";
import { createQueryClient } from "../../lib/api/query-client.ts";
import { storeUser } from "../../lib/state/session.ts";
import { createConsoleRouter } from "../../router.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";

test("a section that was not saved is not left for another tab or page without a question", async () => {
  storeUser({ id: 1, username: "root", display_name: "", role: 100, status: 1 });
  stubCalls({
    "GET /api/option/": [{ key: "ServerAddress", value: "https://a.example" }],
    "GET /api/option/secrets": [],
    "GET /api/about": "We run this.",
  });
  const router = createConsoleRouter(createMemoryHistory({ initialEntries: ["/setting?tab=system"] }));
  await router.load();
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={createQueryClient()}>
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </MantineProvider>,
  );
  const field = await screen.findByRole("textbox", { name: "Server address" });
  await userEvent.type(field, "/x");
  await userEvent.click(screen.getByRole("tab", { name: "Personal settings" }));
  const question = within(await screen.findByRole("dialog", { name: "Leave without saving?" }));
  await userEvent.click(question.getByRole("button", { name: "Cancel" }));
  expect(router.state.location.search).toEqual({ tab: "system" });
  expect(screen.getByDisplayValue("https://a.example/x")).toBe(field);
  await userEvent.click(screen.getByRole("link", { name: "About" }));
  await userEvent.click(await screen.findByRole("button", { name: "Discard changes" }));
  await waitFor(() => expect(router.state.location.pathname).toBe("/about"));
});
