interface Entry<Request> {
  readonly requestId: string;
  request: Request;
  next: Entry<Request> | undefined;
}

/** Places for several thousand requests in flight with few collisions. A power of two. */
const PLACES = 4096;
/** Ids end in random digits. */
const DIGITS = 4;

/**
 * Running requests by id. A `Map` with constant insertions and deletions is rehashed often. V8 chains old tables to new ones, so an old one keeps all later ones alive.
 */
export class RunningRequests<Request> {
  readonly #places: (Entry<Request> | undefined)[] = Array.from({ length: PLACES }, () => undefined);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(requestId: string): Request | undefined {
    return this.#find(requestId)?.request;
  }

  has(requestId: string): boolean {
    return this.#find(requestId) !== undefined;
  }

  set(requestId: string, request: Request): void {
    const known = this.#find(requestId);
    if (known !== undefined) {
      known.request = request;
      return;
    }
    const place = placeOf(requestId);
    this.#places[place] = { requestId, request, next: this.#places[place] };
    this.#size += 1;
  }

  delete(requestId: string): void {
    const place = placeOf(requestId);
    let before: Entry<Request> | undefined;
    for (let entry = this.#places[place]; entry !== undefined; entry = entry.next) {
      if (entry.requestId === requestId) {
        if (before === undefined) this.#places[place] = entry.next;
        else before.next = entry.next;
        // An old entry keeps nothing alive.
        entry.next = undefined;
        this.#size -= 1;
        return;
      }
      before = entry;
    }
  }

  *all(): Generator<Request> {
    for (const first of this.#places)
      for (let entry = first; entry !== undefined; entry = entry.next) yield entry.request;
  }

  clear(): void {
    this.#places.fill(undefined);
    this.#size = 0;
  }

  #find(requestId: string): Entry<Request> | undefined {
    let entry = this.#places[placeOf(requestId)];
    while (entry !== undefined && entry.requestId !== requestId) entry = entry.next;
    return entry;
  }
}

function placeOf(requestId: string): number {
  let place = 0;
  for (let index = Math.max(0, requestId.length - DIGITS); index < requestId.length; index += 1)
    place = place * 31 + requestId.charCodeAt(index);
  return place % PLACES;
}
