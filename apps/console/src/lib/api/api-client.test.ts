import { updateChannelBalance } from "@one-api/contract/channels/channel";
import { getStatus } from "@one-api/contract/status";
import { listTokens, updateToken } from "@one-api/contract/token";
import { login } from "@one-api/contract/accounts/user";
import { expect, test, vi } from "vitest";
import { accepted, refused, stubApi } from "../../testing/stub-api.ts";
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
  const sent = stubApi({ "PUT /api/token/": accepted({}) });
  await callApi(updateToken, { query: { status_only: "true" }, body: { id: 7, status: 2 } });
  expect(sent).toEqual([{ method: "PUT", address: "/api/token/?status_only=true", body: { id: 7, status: 2 } }]);
});

test("a refusal with success false keeps its message, code and field", async () => {
  stubApi({
    "POST /api/user/login": {
      body: { success: false, message: "No such user.", code: "wrong-credentials", field: "username" },
    },
  });
  const error = await failureOf(callApi(login, { body: { username: "a", password: "b" } }));
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
  const error = await failureOf(callApi(getStatus));
  expect(error).toMatchObject({ kind: "http", status: 503, message: "Not now.", requestId: "r-1" });
});

test("an HTTP error without a readable body still says which status it was", async () => {
  stubApi({ "GET /api/status": { status: 502, body: "<html>bad gateway</html>" } });
  const error = await failureOf(callApi(getStatus));
  expect(error.kind).toBe("http");
  expect(error.message).toContain("502");
  expect(error.isForeign).toBe(true);
});

test("a page of a proxy in the place of an answer is known for what it is", async () => {
  stubApi({ "GET /api/status": { body: "<html>Sign in to the hotel's network</html>" } });
  expect(await failureOf(callApi(getStatus))).toMatchObject({ kind: "http", status: 200, isForeign: true });
});

test("no answer at all is a network error", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  expect(await failureOf(callApi(getStatus))).toMatchObject({ kind: "network", status: 0, message: "Failed to fetch" });
});

test("[CALL-10] the total of a list comes from the header, and is unknown without it", async () => {
  stubApi({ "GET /api/token/": { ...accepted([]), headers: { "x-total-count": "42" } } });
  expect((await callApiList(listTokens, { query: { p: 0 } })).total).toBe(42);
  stubApi({ "GET /api/token/": accepted([]) });
  expect((await callApiList(listTokens, { query: { p: 0 } })).total).toBeUndefined();
});

test("[START-06] rows of an older server lack fields and may be null: neutral values stand in", async () => {
  stubApi({
    "GET /api/token/": accepted([{ id: 1, name: "old", key: "k", status: 1, remain_quota: 5, subnet: null }]),
  });
  const { rows } = await callApiList(listTokens, { query: { p: 0 } });
  expect(rows[0]).toMatchObject({ id: 1, name: "old", subnet: "", models: "", rpm_limit: 0, unlimited_quota: false });
  stubApi({ "GET /api/token/": accepted(null) });
  expect((await callApiList(listTokens, { query: { p: 0 } })).rows).toEqual([]);
});

test("[START-06] data that an older server answers beside success is found", async () => {
  stubApi({ "GET /api/channel/update_balance/3/": { body: { success: true, message: "", balance: 1.5 } } });
  expect(await callApi(updateChannelBalance, { params: { id: 3 } })).toEqual({ balance: 1.5 });
});

test("an answer of another form altogether is an error, not a crash later", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  stubApi({ "GET /api/token/": accepted("nonsense") });
  expect((await failureOf(callApiList(listTokens, { query: { p: 0 } }))).message).toContain("/api/token/");
  stubApi({ "GET /api/token/": refused("") });
  expect((await failureOf(callApiList(listTokens, { query: { p: 0 } }))).kind).toBe("refused");
});
