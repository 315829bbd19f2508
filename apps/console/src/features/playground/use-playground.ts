import type { ChatModel } from "@one-api/contract/playground";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect } from "react";
import { exampleModel } from "../../lib/values/call-example.ts";
import { askModel, type PaneAsk } from "./chat/ask-model.ts";
import {
  isRunning,
  isUnanswered,
  newId,
  type Question,
  type Turn,
  turnsBefore,
  waitsForTools,
} from "./chat/conversation.ts";
import {
  changeTurns,
  draftStore,
  keepIfWanted,
  lastSearchStore,
  PANES,
  type Pane,
  setupStore,
  stopAnswer,
  turnsOf,
} from "./chat/playground-store.ts";
import { readTools } from "./chat/read-tools.ts";
import { type PlaygroundSearch, readPlaygroundSearch } from "./playground-search.ts";
import { useChatModels, useTokenChoices } from "./playground-queries.ts";

export function usePlaygroundSearch() {
  const search = readPlaygroundSearch(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = (patch: PlaygroundSearch) => {
    void navigate({ to: ".", search: (previous) => ({ ...previous, ...patch }), replace: true, resetScroll: false });
  };
  return { search, change };
}

const defined = (search: PlaygroundSearch) =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));

/**
 * Token and models of the page: those of the address, else the last ones, else the newest token and a well-known model.
 */
export function useAsked() {
  const { search: said, change } = usePlaygroundSearch();
  const last = lastSearchStore.get();
  const search = said.token === undefined && said.model === undefined ? { ...last, ...defined(said) } : said;
  const tokens = useTokenChoices("");
  const tokenId = search.token ?? tokens.data?.[0]?.id;
  const models = useChatModels(tokenId);
  const known = models.data;
  const find = (name: string | undefined): ChatModel | undefined => known?.find(({ model }) => model === name);
  const usual = known === undefined || known.length === 0 ? undefined : exampleModel(known.map(({ model }) => model));
  const model = search.model ?? usual;
  const isUnsaid = said.token !== tokenId || said.model !== model;
  useEffect(() => {
    // A logged request is loaded first; otherwise the earlier state would replace it.
    if (said.replay !== undefined) return;
    // A link to the page as it stands asks the same.
    if (isUnsaid) change({ ...search, token: tokenId, model });
    else lastSearchStore.set({ ...said, replay: undefined });
  });
  const panes = search.versus === undefined ? [model] : [model, search.versus];
  return {
    tokens,
    tokenId,
    models,
    /** By pane: the name, and the model once loaded and allowed for the token. */
    asked: panes.map((name) => ({ name, model: find(name) })),
  };
}

/** Closes a pane; the other model's conversation stays. */
export function useClosePane() {
  const { search, change } = usePlaygroundSearch();
  return (pane: Pane) => {
    const other = turnsOf(1).get();
    if (pane === 0) changeTurns(0, () => other);
    changeTurns(1, () => []);
    keepIfWanted();
    change({ model: pane === 0 ? search.versus : search.model, versus: undefined });
  };
}

export type Asking = ReturnType<typeof useAsked>;

export interface PlaygroundActions {
  readonly panes: readonly Pane[];
  readonly isReady: boolean;
  readonly isRunning: boolean;
  /** Tools need a result before the next question. */
  readonly isWaiting: boolean;
  /** The last question can be sent as it stands. */
  readonly isUnanswered: boolean;
  /** Sends the draft to every model; without one the unanswered question. */
  send(): void;
  /** Asks every model that was asked this question another one in its place. */
  edit(question: Question, text: string): void;
  /** Replaces the answer; without one continues the conversation. */
  ask(pane: Pane, answerId?: string): void;
  stop(): void;
  /** Request of a pane beside its turns; undefined while a part is missing or invalid. */
  askOf(pane: Pane): PaneAsk | undefined;
}

/** The two panes' turns; the second one's count only while it is shown. */
function useTurns(count: number): readonly (readonly Turn[])[] {
  const first = turnsOf(0).use();
  const second = turnsOf(1).use();
  return count === 1 ? [first] : [first, second];
}

function useAskOf({ tokenId, asked }: Asking): PlaygroundActions["askOf"] {
  const { search } = usePlaygroundSearch();
  const { system, tools } = setupStore.use();
  const read = readTools(tools);
  return (pane) => {
    const model = asked[pane]?.model;
    if (model === undefined || tokenId === undefined || read.tools === undefined) return undefined;
    return { tokenId, model, options: search, system, tools: read.tools };
  };
}

export function useActions(asking: Asking): PlaygroundActions {
  const turns = useTurns(asking.asked.length);
  const askOf = useAskOf(asking);
  const panes = PANES.filter((pane) => pane < turns.length);
  const run = (pane: Pane, change: (turns: readonly Turn[]) => readonly Turn[]) => {
    const ask = askOf(pane);
    if (ask === undefined || isRunning(turnsOf(pane).get())) return;
    changeTurns(pane, change);
    keepIfWanted();
    void askModel(pane, ask);
  };
  return {
    panes,
    askOf,
    isReady: panes.every((pane) => askOf(pane) !== undefined),
    isRunning: turns.some(isRunning),
    isWaiting: turns.some(waitsForTools),
    isUnanswered: turns.every(isUnanswered),
    send() {
      const { text, images } = draftStore.get();
      if (text.trim() === "" && images.length === 0) return panes.forEach((pane) => run(pane, (before) => before));
      const question: Question = { role: "user", id: newId(), text: text.trim(), images };
      draftStore.set({ text: "", images: [] });
      for (const pane of panes) run(pane, (before) => [...before, question]);
    },
    edit(question, text) {
      for (const pane of panes) {
        if (
          !turnsOf(pane)
            .get()
            .some(({ id }) => id === question.id)
        )
          continue;
        run(pane, (before) => [...turnsBefore(before, question.id), { ...question, text }]);
      }
    },
    ask: (pane, answerId) => run(pane, (before) => (answerId === undefined ? before : turnsBefore(before, answerId))),
    stop: () => panes.forEach(stopAnswer),
  };
}
