import { act, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";
import { restoreStatus } from "../../lib/state/stored-status.ts";
import { renderPage } from "../../testing/render-page.tsx";
import { stubCalls } from "../../testing/stub-calls.ts";
import { OtherLogins } from "./other-logins.tsx";

beforeEach(() => vi.unstubAllGlobals());

/** Presses the button of a provider; the window that opens leads to what is noted. */
async function begin(name: string, state: string) {
  const status = { github_oauth: true, github_client_id: "our-github", lark_client_id: "our-lark" };
  localStorage.setItem("status", JSON.stringify(status));
  act(() => restoreStatus());
  const sent = stubCalls({ "GET /api/oauth/state": state });
  const opened = { location: { replace: vi.fn<(address: string) => void>() }, close: vi.fn<() => void>() };
  const open = vi.fn<() => unknown>(() => opened);
  vi.stubGlobal("open", open);
  await renderPage(<OtherLogins />, { texts: ["login"] });
  await userEvent.click(await screen.findByRole("button", { name: `Log in with ${name}` }));
  const address = async () => {
    await waitFor(() => expect(opened.location.replace).toHaveBeenCalledOnce());
    return new URL(opened.location.replace.mock.lastCall?.[0] ?? "");
  };
  return { sent, opened, open, address };
}

test("[OAUTH-01] [OAUTH-03] [OAUTH-04] [OAUTH-05] [OAUTH-07] GitHub's page opens in a new window with our id, the state and the scope", async () => {
  const { sent, open, address } = await begin("GitHub", "state-1");
  const { origin, pathname, searchParams } = await address();
  expect(open).toHaveBeenCalledWith("", "_blank");
  expect(sent.map((call) => call.address)).toEqual(["/api/oauth/state?provider=github&invitation="]);
  expect(origin + pathname).toBe("https://github.com/login/oauth/authorize");
  expect(Object.fromEntries(searchParams)).toEqual({ client_id: "our-github", state: "state-1", scope: "user:email" });
});

test("[OAUTH-01] [OAUTH-03] [OAUTH-04] [OAUTH-05] [OAUTH-06] Lark's page opens in a new window with our id, the state and the way back", async () => {
  const { sent, open, address } = await begin("Lark", "state-2");
  const { origin, searchParams } = await address();
  expect(open).toHaveBeenCalledWith("", "_blank");
  expect(sent.map((call) => call.address)).toEqual(["/api/oauth/state?provider=lark&invitation="]);
  expect(origin).toBe("https://open.feishu.cn");
  const back = `${window.location.origin}/oauth/lark`;
  expect(Object.fromEntries(searchParams)).toEqual({ app_id: "our-lark", redirect_uri: back, state: "state-2" });
});

test("[OAUTH-02] without a state nothing is left open", async () => {
  const { opened } = await begin("GitHub", "");
  await waitFor(() => expect(opened.close).toHaveBeenCalledOnce());
  expect(opened.location.replace).not.toHaveBeenCalled();
});
