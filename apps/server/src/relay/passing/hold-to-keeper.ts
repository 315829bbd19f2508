import { isRecord, listOf, textOf } from "@one-api/providers/shared/json-fields";
import type { RelayAsk } from "../body/read-ask.ts";
import type { Caller } from "../callers/caller-source.ts";
import type { RoutePlan } from "../channels/route-plans.ts";
import type { RelayDependencies } from "../relay-dependencies.ts";
import { RelayError } from "../relay-error.ts";

/** Nobody names more things in one request; of what is beyond, nothing is known. */
const MOST_IDS = 100;

/** The ids in a request of what a provider may keep: an answer that it goes on with, and files. */
export function keptIdsIn({ prompt, body: { outline } }: RelayAsk): readonly string[] {
  if (!prompt.isOpen) return [];
  const ids = new Set<string>();
  const previous = textOf(outline["previous_response_id"]);
  if (previous !== "") ids.add(previous);
  for (const field of ["input", "messages"]) findFiles(outline[field], ids);
  return [...ids].slice(0, MOST_IDS);
}

function findFiles(value: unknown, ids: Set<string>): void {
  if (Array.isArray(value)) for (const item of listOf(value)) findFiles(item, ids);
  if (!isRecord(value)) return;
  const id = textOf(value["file_id"]);
  if (id !== "") ids.add(id);
  for (const name in value) findFiles(value[name], ids);
}

/**
 * Leaves the channels that keep what the request names, as far as it is the caller's. Throws a 404 RelayError for what is somebody else's, as if it
 * were not there. What nobody has made here is left to the provider.
 */
export async function holdToKeeper(
  { keptObjects }: Pick<RelayDependencies, "keptObjects">,
  { userId }: Caller,
  ids: readonly string[],
  plan: RoutePlan | Promise<RoutePlan>,
): Promise<RoutePlan> {
  const [places, found] = await Promise.all([keptObjects.find(ids), plan]);
  let { routes } = found;
  for (const id of ids) {
    const known = places.filter((place) => place.object_id === id);
    if (known.length === 0) continue;
    const own = new Set(known.filter((place) => place.user_id === userId).map((place) => place.channel_id));
    if (own.size === 0) throw notThere(id);
    // Where the channel that has it does not serve the model, whoever is asked says why that cannot be.
    const holding = routes.filter((route) => own.has(route.id));
    if (holding.length > 0) routes = holding;
  }
  return routes === found.routes ? found : { ...found, routes };
}

function notThere(id: string): RelayError {
  const message = `${id} was not found.`;
  return new RelayError({ status: 404, type: "invalid_request_error", code: "not_found", message });
}
