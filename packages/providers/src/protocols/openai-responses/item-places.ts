import { type JsonRecord, recordOf, textOf } from "../../shared/json-fields.ts";

/** Assigns a key to each item of a stream: by index, else by id. Servers omit one of them, or change ids between events. */
export class ItemPlaces {
  readonly #byIndex = new Map<unknown, string>();
  readonly #byId = new Map<string, string>();

  find({ type, output_index: index, item_id: itemId, item }: JsonRecord): string {
    const id = textOf(itemId) || textOf(recordOf(item).id);
    const isNew = type === "response.output_item.added";
    const known = isNew ? undefined : (this.#byIndex.get(index) ?? this.#byId.get(id));
    const place = known ?? (typeof index === "number" ? String(index) : id);
    if (typeof index === "number") this.#byIndex.set(index, place);
    if (id !== "") this.#byId.set(id, place);
    return place;
  }
}
