import { isAdmin } from "@one-api/contract/roles";
import { sessionUserSchema, type SessionUser } from "@one-api/contract/user";
import { createExternalStore } from "./external-store.ts";
import { readStoredJson, writeStored } from "./local-storage.ts";
import { STORAGE_KEY } from "./storage-keys.ts";

// Rows of older versions may lack all but the role; the role alone decides what the menu shows.
const storedUserSchema = sessionUserSchema.extend({
  id: sessionUserSchema.shape.id.catch(0),
  username: sessionUserSchema.shape.username.catch(""),
  display_name: sessionUserSchema.shape.display_name.catch(""),
  status: sessionUserSchema.shape.status.catch(1),
});

function readStoredUser(): SessionUser | undefined {
  return storedUserSchema.safeParse(readStoredJson(STORAGE_KEY.user)).data;
}

const userStore = createExternalStore(readStoredUser());
const expiryListeners = new Set<() => void>();

/** The user as the browser keeps it, undefined for a visitor. For display only: the server checks every right. */
export const currentUser = () => userStore.get();

/** Like currentUser, and the component follows changes. */
export const useCurrentUser = () => userStore.use();

/** True when the stored user is an administrator. */
export const useIsAdmin = () => isAdmin(userStore.use()?.role);

/** Takes the stored user again: on start, and when another tab changed it. */
export function restoreUser(): void {
  userStore.set(readStoredUser());
}

/** Keeps the user of a login. */
export function storeUser(user: SessionUser): void {
  writeStored(STORAGE_KEY.user, JSON.stringify(user));
  userStore.set(user);
}

/** Forgets the user. */
export function clearUser(): void {
  writeStored(STORAGE_KEY.user, undefined);
  userStore.set(undefined);
}

/** Forgets the user because the server does not know the session any more, and tells those who lead to the login. */
export function expireSession(): void {
  clearUser();
  for (const listener of expiryListeners) listener();
}

/** Calls the listener when the session has expired; returns what unsubscribes it. */
export function onSessionExpired(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

if (typeof window !== "undefined") {
  window.addEventListener("storage", (event) => {
    if (event.key === STORAGE_KEY.user || event.key === null) restoreUser();
  });
}
