import { isAdmin, isRoot } from "@one-api/contract/accounts/roles";
import type { SessionUser } from "@one-api/contract/accounts/user";
import { fieldsOf, integerOf } from "../values/read-values.ts";
import { createExternalStore } from "./external-store.ts";
import { readStoredJson, writeStored } from "./local-storage.ts";
import { STORAGE_KEY } from "./storage-keys.ts";
import { hasUnsavedWork } from "./unsaved-work.ts";

const storedText = (value: unknown) => (typeof value === "string" ? value : "");

/** Rows of older versions may lack all but the role; the role alone decides what the menu shows. */
function readStoredUser(): SessionUser | undefined {
  const { id, username, display_name, role, status } = fieldsOf(readStoredJson(STORAGE_KEY.user));
  if (typeof role !== "number" || !Number.isInteger(role)) return undefined;
  return {
    id: integerOf(id) ?? 0,
    username: storedText(username),
    display_name: storedText(display_name),
    role,
    status: integerOf(status) ?? 1,
  };
}

const userStore = createExternalStore(readStoredUser());
/** True if the server ended the session, until the next login. */
let isExpired = false;
const expiryListeners = new Set<() => void>();
const takeoverListeners = new Set<() => void>();

/** A session that ended under a page with unsaved input, while a login over the page may restore it. */
interface LostSession {
  readonly user: SessionUser;
  settle(isBack: boolean): void;
  readonly settled: Promise<boolean>;
}

const lostStore = createExternalStore<LostSession | undefined>(undefined);
// Local storage does not notify other tabs of a login of the same user, since its content stays equal.
const logins = typeof BroadcastChannel === "undefined" ? undefined : new BroadcastChannel("one-api-logins");

/** The user as the browser keeps it, undefined for a visitor. For display only: the server checks every right. */
export const currentUser = () => userStore.get();

/** True when the stored user is an administrator, as the guards of the pages see it. */
export const isCurrentAdmin = () => isAdmin(userStore.get()?.role);

/** Like currentUser, and the component follows changes. */
export const useCurrentUser = () => userStore.use();

export const useIsAdmin = () => isAdmin(userStore.use()?.role);

export const useIsRoot = () => isRoot(userStore.use()?.role);

/** Takes the stored user again, as on start. */
export function restoreUser(): void {
  userStore.set(readStoredUser());
  isExpired = false;
}

export function storeUser(user: SessionUser): void {
  writeStored(STORAGE_KEY.user, JSON.stringify(user));
  userStore.set(user);
  isExpired = false;
}

/** Stores the server's data of the user: an administrator may have changed name or role since the login. */
export function noteOwnUser({ id, username, display_name, role, status }: SessionUser): void {
  const known = userStore.get();
  if (known?.id !== id) return;
  if (known.username === username && known.display_name === display_name && known.role === role) return;
  storeUser({ id, username, display_name, role, status });
}

/** Notifies the other tabs of a login, so that they continue. */
export function announceLogin(): void {
  logins?.postMessage(null);
}

export function clearUser(): void {
  writeStored(STORAGE_KEY.user, undefined);
  userStore.set(undefined);
}

/**
 * Forgets the user because the server does not know the session any more, and notifies the listeners that lead to the
 * login.
 */
export function expireSession(): void {
  clearUser();
  isExpired = true;
  for (const listener of expiryListeners) listener();
}

/** True after a session that the server ended, until somebody logs in. */
export const hasSessionExpired = () => isExpired;

/** Calls the listener when the session has expired; returns what unsubscribes it. */
export function onSessionExpired(listener: () => void): () => void {
  expiryListeners.add(listener);
  return () => expiryListeners.delete(listener);
}

/** The session that ended under the page and waits for a login; the component follows changes. */
export const useLostSession = () => lostStore.use();

function settleLost(lost: LostSession | undefined, isBack: boolean): void {
  lostStore.set(undefined);
  lost?.settle(isBack);
}

/**
 * Asks for a login over the page if the session expired and unsaved input would be lost. Resolves to true after a login
 * of the same user, else to false.
 */
export function recoverSession(): Promise<boolean> {
  const waiting = lostStore.get();
  if (waiting !== undefined) return waiting.settled;
  const user = userStore.get();
  if (user === undefined || !hasUnsavedWork()) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  lostStore.set({ user, settled: promise, settle: resolve });
  return promise;
}

/** Continues with the session after a login of the same user; abandons it after a login of another. */
export function resumeSession(user: SessionUser): void {
  const lost = lostStore.get();
  const isBack = lost?.user.id === user.id;
  if (isBack) storeUser(user);
  settleLost(lost, isBack);
}

/** Abandons the lost session; its waiting calls fail and lead to the login. */
export function abandonSession(): void {
  settleLost(lostStore.get(), false);
}

/** Calls the listener when another tab has logged somebody else in; returns what unsubscribes it. */
export function onSessionTakenOver(listener: () => void): () => void {
  takeoverListeners.add(listener);
  return () => takeoverListeners.delete(listener);
}

/** Follows other tabs: a logout there removes no form here, a login there ends the wait here. */
function followOtherTabs(): void {
  const next = readStoredUser();
  const current = userStore.get();
  const lost = lostStore.get();
  if (next === undefined && (lost !== undefined || hasUnsavedWork())) return;
  userStore.set(next);
  if (next === undefined || current === undefined) return;
  if (next.id === current.id) return settleLost(lost, true);
  // Waiting calls belong to the previous user and are never settled, so that the new one does not send them.
  lostStore.set(undefined);
  for (const listener of takeoverListeners) listener();
}

logins?.addEventListener("message", followOtherTabs);

if (typeof window !== "undefined") {
  window.addEventListener("storage", (event) => {
    if (event.key === STORAGE_KEY.user || event.key === null) followOtherTabs();
  });
}
