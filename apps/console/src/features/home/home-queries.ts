import { LOG_TYPE } from "@one-api/contract/logs/log";
import { isAdmin, isRoot } from "@one-api/contract/accounts/roles";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { queryOptions } from "@tanstack/react-query";
import { callApi } from "../../lib/api/api-client.ts";
import { defaultPasswordStands } from "../login/default-password.ts";

export const homeContentQuery = queryOptions({
  queryKey: ["home", "content"],
  queryFn: ({ signal }) => callApi("GET /api/home_page_content", { signal }),
  staleTime: 60_000,
  // Without it the welcome is shown, which is a home page too.
  meta: { quiet: true },
});

export interface FirstStep {
  readonly name: "password" | "channel" | "test" | "quota" | "token" | "call";
  readonly isDone: boolean;
}

async function channelSteps(signal: AbortSignal): Promise<{ hasChannel: boolean; isTested: boolean }> {
  const channels = await callApi("GET /api/channel/", { query: { p: 0 }, signal });
  return { hasChannel: channels.length > 0, isTested: channels.some((channel) => channel.test_time > 0) };
}

async function loadSteps(user: SessionUser, signal: AbortSignal): Promise<FirstStep[]> {
  const query = { p: 0, type: LOG_TYPE.consumption };
  const [forAdmins, self, tokens, calls] = await Promise.all([
    isAdmin(user.role) ? channelSteps(signal) : undefined,
    // Root has a quota from the beginning.
    isRoot(user.role) ? undefined : callApi("GET /api/user/self", { signal }),
    callApi("GET /api/token/", { query: { p: 0 }, signal }),
    isAdmin(user.role) ? callApi("GET /api/log/", { query, signal }) : callApi("GET /api/log/self/", { query, signal }),
  ]);
  const hasCalled = calls.length > 0;
  return [
    ...(isRoot(user.role) ? [{ name: "password", isDone: !defaultPasswordStands() } as const] : []),
    ...(forAdmins === undefined
      ? []
      : [
          { name: "channel", isDone: forAdmins.hasChannel } as const,
          // A served request proves more than a test.
          { name: "test", isDone: forAdmins.isTested || hasCalled } as const,
        ]),
    ...(self === undefined ? [] : [{ name: "quota", isDone: self.quota > 0 || hasCalled } as const]),
    { name: "token", isDone: tokens.length > 0 },
    { name: "call", isDone: hasCalled },
  ];
}

/** The first steps, and which of them the user has taken. */
export function firstStepsQuery(user: SessionUser) {
  return queryOptions({
    queryKey: ["home", "steps", user.id, user.role],
    queryFn: ({ signal }) => loadSteps(user, signal),
    meta: { quiet: true },
  });
}

export const hasCalled = (steps: readonly FirstStep[] | undefined): boolean =>
  steps?.some(({ name, isDone }) => name === "call" && isDone) === true;
