import { notifications, notificationsStore } from "@mantine/notifications";
import { beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "./api-error.ts";
import { createQueryClient } from "./query-client.ts";

const refused = new ApiError({ kind: "refused", status: 200, message: "no" });
const http = (status: number) => new ApiError({ kind: "http", status, message: "no" });
const network = new ApiError({ kind: "network", status: 0, message: "Failed to fetch" });

beforeEach(() => {
  notifications.clean();
  vi.spyOn(console, "error").mockReturnValue();
});

/** How many toasts a form's failed save leaves. */
async function toastsAfterSave(failure: Error, meta: { shownInPlace?: boolean }): Promise<number> {
  const client = createQueryClient();
  const save = client.getMutationCache().build(client, { mutationFn: () => Promise.reject(failure), meta });
  await expect(save.execute(undefined)).rejects.toBe(failure);
  return notificationsStore.getState().notifications.length;
}

test.each([
  ["wrong input", http(400)],
  ["no right", http(403)],
  ["no answer", network],
])("%s is shown by the form alone, and logged", async (_title, error) => {
  expect(await toastsAfterSave(error, { shownInPlace: true })).toBe(0);
  expect(console.error).toHaveBeenCalledWith(error);
});

test.each([[405], [429], [500]])("a form's answer %i is told in the error catalogue's words too", async (status) => {
  expect(await toastsAfterSave(http(status), { shownInPlace: true })).toBe(1);
});

test("[TEXT-06] an error of what has no place of its own is a toast", async () => {
  expect(await toastsAfterSave(http(403), {})).toBe(1);
});

test.each([{}, { shownInPlace: true }])("[TEXT-01] a refusal is a toast, also of a form %o", async (meta) => {
  expect(await toastsAfterSave(refused, meta)).toBe(1);
});

test("a list that cannot be loaded says so in its place, one that cannot be loaded again by a toast", async () => {
  const client = createQueryClient();
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(http(403)).mockResolvedValueOnce("rows");
  load.mockRejectedValueOnce(http(403));
  const query = { queryKey: ["rows"], queryFn: load, meta: { shownInPlace: true }, staleTime: 0 };
  const toasts = () => notificationsStore.getState().notifications.length;
  await client.fetchQuery(query).catch(() => undefined);
  expect(toasts()).toBe(0);
  await client.fetchQuery(query);
  await client.fetchQuery(query).catch(() => undefined);
  expect(toasts()).toBe(1);
});
