import { renderHook } from "@testing-library/react";
import { expect, onTestFinished, test, vi } from "vitest";
import { accepted, stubApi } from "../../testing/stub-api.ts";
import { abandonSession, clearUser, resumeSession, storeUser, useLostSession } from "../state/session.ts";
import { watchUnsaved } from "../state/unsaved-work.ts";
import { callApi, callApiList } from "./api-client.ts";
import { ApiError } from "./api-error.ts";

async function failureOf(promise: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ApiError)) throw new Error("the call did not fail with an ApiError");
  return error;
}

test("sends method, path, query and body as the contract has them", async () => {
  const sent = stubApi({ "PUT /api/token/": accepted({ name: "Main" }) });
  await callApi("PUT /api/token/", { query: { status_only: "true" }, body: { id: 7, status: 2 } });
  expect(sent).toEqual([{ method: "PUT", address: "/api/token/?status_only=true", body: { id: 7, status: 2 } }]);
});

test("a refusal with success false keeps its message, code and field", async () => {
  stubApi({
    "POST /api/user/login": {
      body: { success: false, message: "No such user.", code: "wrong-credentials", field: "username" },
    },
  });
  const error = await failureOf(callApi("POST /api/user/login", { body: { username: "a", password: "b" } }));
  expect(error).toMatchObject({
    kind: "refused",
    status: 200,
    message: "No such user.",
    code: "wrong-credentials",
    field: "username",
  });
});

test("an HTTP error keeps its status, the server's message and the request id", async () => {
  const headers = { "x-request-id": "r-1" };
  stubApi({ "GET /api/status": { status: 503, body: { success: false, message: "Not now." }, headers } });
  const error = await failureOf(callApi("GET /api/status"));
  expect(error).toMatchObject({ kind: "http", status: 503, message: "Not now.", requestId: "r-1" });
});

test("an HTTP error without a readable body still says which status it was", async () => {
  stubApi({ "GET /api/status": { status: 502, body: "<html>bad gateway</html>" } });
  const error = await failureOf(callApi("GET /api/status"));
  expect(error.kind).toBe("http");
  expect(error.message).toContain("502");
  expect(error.isForeign).toBe(true);
});

test("a page of a proxy in the place of an answer is known for what it is", async () => {
  stubApi({ "GET /api/status": { body: "<html>Sign in to the hotel's network</html>" } });
  expect(await failureOf(callApi("GET /api/status"))).toMatchObject({ kind: "http", status: 200, isForeign: true });
});

test("no answer at all is a network error", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await failureOf(callApi("GET /api/status"))).toMatchObject({
    kind: "network",
    status: 0,
    message: "Failed to fetch",
  });
});

test("[CALL-10] the total of a list comes from the header", async () => {
  stubApi({ "GET /api/token/": { ...accepted([]), headers: { "x-total-count": "42" } } });
  expect((await callApiList("GET /api/token/", { query: { p: 0 } })).total).toBe(42);
});

const ann = { id: 2, username: "ann", display_name: "Ann", role: 1, status: 1 };
const notLoggedIn = { status: 401, body: { success: false, message: "Log in first.", code: "not-logged-in" } };

const isWaitingForLogin = () => renderHook(useLostSession).result.current !== undefined;

/** Lets Ann have typed something. */
function typeSomething(): void {
  storeUser(ann);
  onTestFinished(clearUser);
  const forget = watchUnsaved(() => true);
  onTestFinished(() => {
    forget();
  });
  onTestFinished(abandonSession);
}

test.each([
  ["a list", () => callApiList("GET /api/token/", { query: { p: 0 } })],
  ["a row", () => callApi("GET /api/token/:id", { params: { id: 7 } })],
  ["a creation", () => callApi("POST /api/token/", { body: { name: "Main" } })],
  ["a change", () => callApi("PUT /api/token/", { body: { id: 7, status: 2 } })],
  ["a deletion", () => callApi("DELETE /api/token/:id/", { params: { id: 7 } })],
])("%s that meets an ended session waits for a login and is sent again", async (_name, call) => {
  typeSomething();
  const sent = stubApi({
    "GET /api/token/": notLoggedIn,
    "GET /api/token/7": notLoggedIn,
    "POST /api/token/": notLoggedIn,
    "PUT /api/token/": notLoggedIn,
    "DELETE /api/token/7/": notLoggedIn,
  });
  const failed = failureOf(call());
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  await vi.waitFor(() => expect(isWaitingForLogin()).toBe(true));
  resumeSession(ann);
  expect(await failed).toMatchObject({ status: 401 });
  expect(sent).toHaveLength(2);
  expect(sent[1]).toEqual(sent[0]);
});

const open: readonly (readonly [string, Record<string, object>, () => Promise<unknown>])[] = [
  [
    "a login with a wrong password",
    { "POST /api/user/login": { body: { success: false, message: "wrong", code: "wrong-credentials" } } },
    () => callApi("POST /api/user/login", { body: { username: "ann", password: "no" } }),
  ],
  [
    "a login that something before the server refuses",
    { "POST /api/user/login": { status: 401, body: "<html>no</html>" } },
    () => callApi("POST /api/user/login", { body: { username: "ann", password: "no" } }),
  ],
  [
    "a refused registration",
    { "POST /api/user/register": { body: { success: false, message: "taken", code: "user-username-taken" } } },
    () =>
      callApi("POST /api/user/register", { query: { turnstile: "" }, body: { username: "a", password: "12345678" } }),
  ],
  [
    "a status page that is off",
    { "GET /api/availability": { body: { success: false, message: "off" } } },
    () => callApi("GET /api/availability"),
  ],
];

test.each(open)("%s asks for no login", async (_name, answers, call) => {
  typeSomething();
  const sent = stubApi(answers);
  await failureOf(call());
  expect(isWaitingForLogin()).toBe(false);
  expect(sent).toHaveLength(1);
});

const sources = import.meta.glob<string>("../../**/*.{ts,tsx}", { query: "?raw", import: "default", eager: true });

test("[START-05] the console sends calls of the contract only", () => {
  const files = Object.entries(sources).filter(([file]) => !/\.test\.tsx?$|\/testing\//.test(file));
  expect(files.length).toBeGreaterThan(100);
  const naming = files.filter(([, source]) => /["'`]\/api\//.test(source)).map(([file]) => file);
  expect(naming).toEqual([]);
  const fetching = files.filter(([, source]) => /\bfetch\(|XMLHttpRequest/.test(source)).map(([file]) => file);
  expect(fetching.toSorted()).toEqual(["./api-client.ts", "./relay-client.ts"]);
});
