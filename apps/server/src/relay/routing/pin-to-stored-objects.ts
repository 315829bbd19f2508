import { isRecord, listOf, textOf } from "@one-api/providers/shared/json-fields";
import type { ParsedRequest } from "../body/index.ts";
import type { Caller } from "../callers/index.ts";
import type { RoutePlan } from "./route-plans.ts";
import { RelayError } from "../errors/index.ts";
import type { RoutingServices } from "./routing-services.ts";

/** Upper bound of stored objects in one request, since each is looked up. */
const MOST_IDS = 1_000;

/**
 * Returns the ids of objects that a provider may store: a previous response, and files anywhere in content, tools and prompt values. Throws a 400
 * RelayError for too many.
 */
export function storedIdsIn({ prompt, media, body: { outline } }: ParsedRequest): readonly string[] {
  // Other requests have no field for ids.
  if (!prompt.isOpen && media?.kind !== "image") return [];
  const ids = new Set<string>();
  const previous = textOf(outline["previous_response_id"]);
  if (previous !== "") ids.add(previous);
  findFiles(outline, ids);
  if (ids.size > MOST_IDS) throw tooMany();
  return [...ids];
}

function findFiles(value: unknown, ids: Set<string>): void {
  if (Array.isArray(value)) for (const item of listOf(value)) findFiles(item, ids);
  if (!isRecord(value)) return;
  for (const id of [value["file_id"], ...listOf(value["file_ids"])]) if (textOf(id) !== "") ids.add(textOf(id));
  for (const name in value) findFiles(value[name], ids);
}

/**
 * Keeps the candidates that store the caller's objects. Throws a 404 RelayError for objects of other accounts. Unknown ids are left to the provider.
 */
export async function pinToStoredObjects(
  { storedObjects }: Pick<RoutingServices, "storedObjects">,
  { userId }: Caller,
  ids: readonly string[],
  plan: RoutePlan | Promise<RoutePlan>,
): Promise<RoutePlan> {
  const [places, found] = await Promise.all([storedObjects.find(ids), plan]);
  let { routes } = found;
  for (const id of ids) {
    const known = places.filter((place) => place.object_id === id);
    if (known.length === 0) continue;
    const own = new Set(known.filter((place) => place.user_id === userId).map((place) => place.channel_id));
    if (own.size === 0) throw notThere(id);
    // If no candidate stores the objects, the provider's own error explains it.
    const holding = routes.filter((route) => own.has(route.id));
    if (holding.length > 0) routes = holding;
  }
  return routes === found.routes ? found : { ...found, routes };
}

function notThere(id: string): RelayError {
  const message = `${id} was not found.`;
  return new RelayError({ status: 404, type: "invalid_request_error", code: "not_found", message });
}

function tooMany(): RelayError {
  const message = `The request names more than ${MOST_IDS} files. Send several requests.`;
  return new RelayError({ status: 400, type: "invalid_request_error", code: "too_many_files", message });
}
