import { createExternalStore, type ExternalStore } from "../../../lib/state/external-store.ts";
import { readStored } from "../../../lib/state/local-storage.ts";
import { currentUser } from "../../../lib/state/session.ts";
import { STORAGE_KEY } from "../../../lib/state/storage-keys.ts";
import type { PlaygroundSearch } from "../playground-search.ts";
import type { ChatImage, Turn } from "./conversation.ts";
import { type Conversation, forgetConversation, keepConversation, readKeptConversation } from "./kept-conversation.ts";

export const PANES = [0, 1] as const;
export type Pane = (typeof PANES)[number];

export interface Draft {
  readonly text: string;
  readonly images: readonly ChatImage[];
}

const NO_DRAFT: Draft = { text: "", images: [] };

/** User of the conversation, which survives other pages and ends with its user. */
let ownerId: number | undefined;

const turnStores: readonly [ExternalStore<readonly Turn[]>, ExternalStore<readonly Turn[]>] = [
  createExternalStore<readonly Turn[]>([]),
  createExternalStore<readonly Turn[]>([]),
];

export const turnsOf = (pane: Pane): ExternalStore<readonly Turn[]> => turnStores[pane];

export const setupStore = createExternalStore({ system: "", tools: "" });

export const runningIn = new Map<Pane, AbortController>();

export function stopAnswer(pane: Pane): void {
  runningIn.get(pane)?.abort();
}

export const draftStore = createExternalStore(NO_DRAFT);

/** True from the creation of the first token until the draft is sent with it. */
export const sendsDraftStore = createExternalStore(false);

/** Latest models and settings: the defaults of an empty address. */
export const lastSearchStore = createExternalStore<PlaygroundSearch>({});

export const isStoredStore = createExternalStore(false);

function load(conversation: Conversation | undefined): void {
  const { system = "", tools = "", panes = [] } = conversation ?? {};
  PANES.forEach(stopAnswer);
  runningIn.clear();
  setupStore.set({ system, tools });
  for (const pane of PANES) turnsOf(pane).set(panes[pane] ?? []);
  draftStore.set(NO_DRAFT);
  sendsDraftStore.set(false);
  lastSearchStore.set({});
  isStoredStore.set(conversation !== undefined);
}

/** Loads the user's stored conversation. The current one stays if it is the same user's and no logout has removed it. */
export function openConversation(userId: number): void {
  const isRemoved = isStoredStore.get() && readStored(STORAGE_KEY.playground) === undefined;
  if (ownerId === userId && !isRemoved) return;
  ownerId = userId;
  load(readKeptConversation(userId));
}

/** Stores the conversation in the browser if its user chose so and is still logged in. */
export function keepIfWanted(): void {
  if (!isStoredStore.get() || ownerId === undefined || currentUser()?.id !== ownerId) return;
  keepConversation(ownerId, { ...setupStore.get(), panes: PANES.map((pane) => turnsOf(pane).get()) });
}

export function setStored(isStored: boolean): void {
  isStoredStore.set(isStored);
  if (isStored) keepIfWanted();
  else forgetConversation();
}

/** True if a conversation exists that would be lost with the tab. */
export function hasConversation(): boolean {
  return PANES.some((pane) => turnsOf(pane).get().length > 0);
}

export function replaceConversation({ system, tools, panes }: Conversation): void {
  setupStore.set({ system, tools });
  for (const pane of PANES) changeTurns(pane, () => panes[pane] ?? []);
  keepIfWanted();
}

export function changeTurns(pane: Pane, change: (turns: readonly Turn[]) => readonly Turn[]): void {
  turnsOf(pane).set(change(turnsOf(pane).get()));
}

/** The second model goes on from what the first has said so far. */
export function beginSecondPane(): void {
  changeTurns(1, () =>
    turnsOf(0)
      .get()
      .map((turn) => ({ ...turn })),
  );
}

/** Clears the turns; system prompt and tools stay. */
export function clearTurns(): void {
  for (const pane of PANES) turnsOf(pane).set([]);
  keepIfWanted();
}

/** Follows other tabs: when one stops storing, such as after a logout, this one stops too. */
if (typeof window !== "undefined") {
  window.addEventListener("storage", ({ key }) => {
    if (key !== null && key !== STORAGE_KEY.playground) return;
    if (readStored(STORAGE_KEY.playground) === undefined) isStoredStore.set(false);
  });
}
