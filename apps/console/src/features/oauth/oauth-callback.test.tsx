import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { clearUser, currentUser, storeUser } from "../../lib/state/session.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { accepted, refused, stubApi } from "../../testing/stub-api.ts";
import GitHubCallbackPage from "./github-callback-page.tsx";

const mia = { id: 2, username: "mia", display_name: "Mia", role: 1, status: 1 };

beforeEach(() => {
  vi.unstubAllGlobals();
  clearUser();
});

const open = () =>
  renderPage(<GitHubCallbackPage />, { address: "/oauth/github?code=c1&state=s1", texts: ["registration"] });

test("[OAUTH-08] an answer with a user logs in and leads to the tokens", async () => {
  const sent = stubApi({ "GET /api/oauth/github": accepted(mia) });
  const { router } = await open();
  await waitFor(() => expect(router.state.location.pathname).toBe("/token"));
  expect(sent.map(({ address }) => address)).toEqual(["/api/oauth/github?code=c1&state=s1"]);
  expect(currentUser()?.username).toBe("mia");
});

test("[OAUTH-08] [TEXT-41] the message bind leads to the settings and leaves the user alone", async () => {
  storeUser(mia);
  stubApi({ "GET /api/oauth/github": { body: { success: true, message: "bind", data: null } } });
  const { router } = await open();
  await waitFor(() => expect(router.state.location.pathname).toBe("/setting"));
  expect(screen.getByText("Bound successfully")).toBeDefined();
  expect(currentUser()?.username).toBe("mia");
});

test("[OAUTH-11] [OAUTH-12] a refusal goes to the settings of who is logged in, else to the login, and says why", async () => {
  stubApi({ "GET /api/oauth/github": refused("This code was used.") });
  const visitor = await open();
  await waitFor(() => expect(visitor.router.state.location.pathname).toBe("/login"));
  expect(visitor.router.state.location.state.problem).toBe("Login failed. This code was used.");
  // The login shows it: a toast would be gone before it is read.
  expect(screen.queryByText(/failed|This code was used/)).toBeNull();
  visitor.unmount();
  storeUser(mia);
  const { router } = await open();
  await waitFor(() => expect(router.state.location.pathname).toBe("/setting"));
});

test("whoever did not agree at the provider is led back without a call", async () => {
  const sent = stubApi({});
  const { router } = await renderPage(<GitHubCallbackPage />, {
    address: "/oauth/github?error=access_denied&state=s1",
    texts: ["registration"],
  });
  await waitFor(() => expect(router.state.location.pathname).toBe("/login"));
  expect(router.state.location.state.problem).toBe("Login with GitHub was cancelled.");
  expect(sent.filter(({ address }) => address.startsWith("/api/oauth"))).toEqual([]);
});

test("[OAUTH-09] [OAUTH-10] what fails on the way is tried again after 2 s, 4 s and 6 s, and meanwhile the page says so", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let calls = 0;
  stubApi({
    "GET /api/oauth/github": () => {
      calls += 1;
      return calls < 4 ? { status: 502, body: { success: false, message: "bad gateway" } } : accepted(mia);
    },
  });
  const { router } = await open();
  expect(await screen.findByText("Logging in with GitHub…")).toBeDefined();
  for (const [attempt, waitMs] of [1, 2, 3].map((number) => [number, number * 2_000] as const)) {
    await screen.findByText(`Login failed. Retrying (${attempt} of 3)…`);
    expect(calls).toBe(attempt);
    await vi.advanceTimersByTimeAsync(waitMs);
  }
  await waitFor(() => expect(router.state.location.pathname).toBe("/token"));
  vi.useRealTimers();
});
