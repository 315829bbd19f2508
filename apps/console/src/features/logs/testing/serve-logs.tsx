import type { Log, LogBodies, LogStory } from "@one-api/contract/logs/log";
import type { LogErrors, LogFacet, LogFacetValue, LogHistogram } from "@one-api/contract/logs/log-totals";
import { chooseDefaultView, type SavedView, saveView, shareView } from "@one-api/contract/view";
import { vi } from "vitest";
import { storeUser } from "../../../lib/state/session.ts";
import { renderPage } from "../../../testing/render-page.tsx";
import type { LogStore } from "../store/log-store-query.ts";
import LogPage from "../log-page.tsx";

/** When the entries were made, in Unix seconds. */
export const CREATED_AT = 1_763_700_000;

/** What a call leaves that a second channel served. */
export const detail = {
  end: "complete",
  first_byte_ms: 460,
  upstream_model: "gpt-4o-2024",
  charge: {
    model_ratio: 1.25,
    completion_ratio: 4,
    group_ratio: 1,
    cached_tokens: 30,
    rule: "usage" as const,
    formula: "ceil((70 input + 30 cached input × 0.5 + 20 output × 4) × 1.25 × 1) = 207",
    formula_parts: {
      terms: [
        { kind: "input" as const, count: 70, factors: [] },
        { kind: "cached-input" as const, count: 30, factors: ["0.5"] },
        { kind: "output" as const, count: 20, factors: ["4"] },
      ],
      quota: 207,
      source: "list" as const,
    },
  },
  attempts: [
    { channel: 7, status: 429, failure: "rate-limited: Try again in 4 s", duration_ms: 210 },
    { channel: 9, status: 200, failure: "", duration_ms: 250 },
  ],
};

/** An entry of such a call. */
export function logOf(changes: Partial<Log> = {}): Log {
  return {
    id: 1,
    user_id: 1,
    created_at: CREATED_AT,
    type: 2,
    content: "Model ratio 1.25",
    username: "mia",
    token_id: 4,
    token_name: "main",
    model_name: "gpt-4o",
    quota: 207,
    prompt_tokens: 100,
    completion_tokens: 20,
    channel: 9,
    request_id: "req-0001",
    elapsed_time: 2_020,
    is_stream: true,
    result: "ok",
    status_code: 200,
    channel_name: "",
    ...changes,
  };
}

interface Served {
  /** Values of the facets by field, and the calls for them. */
  facets: Partial<Record<LogFacet, LogFacetValue[]>>;
  facetsAsked: URL[];
  errors: LogErrors;
  /** What single entries are answered with. */
  stories: LogStory[];
  /** HTTP status that an entry is answered with. */
  storyStatus: number;
  bodies: LogBodies | undefined;
  views: SavedView[];
  /** What was asked to be saved as a view. */
  savedViews: unknown[];
  /** What came since, newest first, and after which entries was asked. */
  came: Log[];
  tailed: number[];
  /** State of the log store, and how often it was asked for. */
  store: LogStore;
  storeAsked: number;
  /** The histogram for the intervals that were asked for, and its calls. */
  histogram(edges: readonly number[]): LogHistogram;
  /** Refusal of the histogram. */
  histogramError: { code: string; message: string } | undefined;
  counted: URL[];
}

function nothing(): Served {
  return {
    facets: {},
    facetsAsked: [],
    errors: { groups: [], read: 0, total: 0 },
    stories: [],
    storyStatus: 200,
    bodies: undefined,
    views: [],
    savedViews: [],
    came: [],
    tailed: [],
    store: { state: "following", progress: 1 },
    storeAsked: 0,
    histogram: () => [],
    histogramError: undefined,
    counted: [],
  };
}

/** What the server has beside its list, and what it was asked; begin with `resetServed`. */
export const served: Served = nothing();

/** Forgets what is served and was asked. */
export function resetServed(): void {
  Object.assign(served, nothing());
}

/** Stands in for the server, which has the given entries; returns the addresses it was asked for. */
export function serve(logs: readonly object[]): URL[] {
  const asked: URL[] = [];
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    const url = new URL(address, "http://localhost");
    if (url.pathname.startsWith("/api/view/")) return answerView(url, init);
    if (url.pathname.endsWith("/facet")) {
      served.facetsAsked.push(url);
      const values = Object.entries(served.facets).find(([field]) => field === url.searchParams.get("field"))?.[1];
      return Response.json({ success: true, message: "", data: values ?? [] });
    }
    if (url.pathname.endsWith("/errors")) return Response.json({ success: true, message: "", data: served.errors });
    if (url.pathname === "/api/log/store") {
      served.storeAsked++;
      return Response.json({ success: true, message: "", data: served.store });
    }
    if (url.pathname.endsWith("/histogram")) {
      served.counted.push(url);
      if (served.histogramError !== undefined)
        return Response.json({ success: false, data: null, ...served.histogramError }, { status: 503 });
      const edges = url.searchParams.get("edges") ?? "";
      return Response.json({ success: true, message: "", data: served.histogram(edges.split(",").map(Number)) });
    }
    if (url.pathname.endsWith("/tail")) {
      const after = Number(url.searchParams.get("after"));
      served.tailed.push(after);
      const newest = served.came[0]?.id ?? 1;
      const entries = after === 0 ? [] : served.came.filter((log) => log.id > after);
      return Response.json({ success: true, message: "", data: { entries, newest, is_cut: false } });
    }
    if (url.pathname.endsWith("/bodies")) return Response.json({ success: true, message: "", data: served.bodies });
    const id = /\/(\d+)$/.exec(url.pathname)?.[1];
    if (id !== undefined) {
      const log = served.stories.find((story) => String(story.id) === id);
      const status = served.storyStatus;
      return Response.json({ success: log !== undefined, message: "", data: log ?? null }, { status });
    }
    asked.push(url);
    const page = Number(url.searchParams.get("p"));
    const size = Number(url.searchParams.get("size"));
    const data = url.pathname.endsWith("/stat")
      ? { quota: 1_500_000, token: 7_654 }
      : logs.slice(page * size, (page + 1) * size);
    return new Response(JSON.stringify({ success: true, message: "", data }), {
      headers: { "content-type": "application/json", "x-total-count": String(logs.length) },
    });
  });
  return asked;
}

/** A view as its owner sees it. */
export function viewOf(changes: Partial<SavedView>): SavedView {
  return { id: 1, name: "Slow ones", search: {}, is_shared: false, is_own: true, is_default: false, ...changes };
}

function answerView({ pathname }: URL, init: RequestInit | undefined): Response {
  const id = Number(/\/(\d+)\//.exec(pathname)?.[1]);
  const text = typeof init?.body === "string" ? init.body : "";
  if (pathname.endsWith("/shared")) {
    const { is_shared } = shareView.body.parse(JSON.parse(text));
    served.views = served.views.map((view) => (view.id === id ? { ...view, is_shared } : view));
    return Response.json({ success: true, message: "", data: null });
  }
  if (pathname.endsWith("/default")) {
    const chosen = chooseDefaultView.body.parse(JSON.parse(text)).id;
    served.views = served.views.map((view) => ({ ...view, is_default: view.id === chosen }));
    return Response.json({ success: true, message: "", data: null });
  }
  if (init?.method === "DELETE") served.views = served.views.filter((view) => view.id !== id);
  if (init?.method !== "PUT") return Response.json({ success: true, message: "", data: id > 0 ? null : served.views });
  const body = saveView.body.parse(JSON.parse(text));
  served.savedViews.push(body);
  const view = viewOf({ id: 100 + served.views.length, name: body.name, search: body.search });
  served.views = [...served.views, view];
  return Response.json({ success: true, message: "", data: view });
}

/** Has the browser keep a user of that role. */
export const logIn = (role: number) => storeUser({ id: 1, username: "mia", display_name: "Mia", role, status: 1 });
/** Opens the page. */
export const open = (address = "/log") =>
  renderPage(<LogPage />, { address, texts: ["logs", "views", "channel-reasons"] });
