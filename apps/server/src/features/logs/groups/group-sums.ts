import type { LogLabels } from "../log-filter.ts";
import type { LogGroup } from "./log-groups.ts";

/** What is added to a group. */
type Addend = Pick<LogGroup, "bucket" | "entries" | "quota" | "tokens">;

type GrowingGroup = { -readonly [Name in keyof LogGroup]: LogGroup[Name] };

/** So many groups are looked through one by one, which takes less than to look them up by all of their labels. */
const FEW = 8;

/** Groups that have one label in common. */
interface Neighbours {
  readonly groups: GrowingGroup[];
  /** Of more than a few. */
  byLabels: Map<string, GrowingGroup> | undefined;
}

/** Adds up entries or groups that are alike. They are looked for by one label first, which should tell most of them apart. */
export class GroupSums {
  readonly #label: keyof LogLabels;
  readonly #neighbours = new Map<string | number, Neighbours>();

  constructor(label: keyof LogLabels) {
    this.#label = label;
  }

  /** `place` is where the entries are: their ids, or their batch. */
  add(labels: LogLabels, { bucket, entries, quota, tokens }: Addend, place: string): void {
    const neighbours = this.#neighboursOf(labels);
    const known = find(neighbours, labels, bucket);
    if (known === undefined) {
      const { user_id, username, token_name, model_name, channel_id, type, result } = labels;
      const group = { user_id, username, token_name, model_name, channel_id, type, result };
      keep(neighbours, { ...group, bucket, entries, quota, tokens, ids: place });
      return;
    }
    known.entries += entries;
    known.quota += quota;
    known.tokens += tokens;
    known.ids += `,${place}`;
  }

  get groups(): readonly LogGroup[] {
    return [...this.#neighbours.values()].flatMap(({ groups }) => groups);
  }

  #neighboursOf(labels: LogLabels): Neighbours {
    const value = labels[this.#label];
    const known = this.#neighbours.get(value);
    if (known !== undefined) return known;
    const neighbours: Neighbours = { groups: [], byLabels: undefined };
    this.#neighbours.set(value, neighbours);
    return neighbours;
  }
}

function find({ groups, byLabels }: Neighbours, labels: LogLabels, bucket: number): GrowingGroup | undefined {
  if (byLabels !== undefined) return byLabels.get(textOf(labels, bucket));
  return groups.find(
    (group) =>
      group.bucket === bucket &&
      group.channel_id === labels.channel_id &&
      group.model_name === labels.model_name &&
      group.result === labels.result &&
      group.token_name === labels.token_name &&
      group.type === labels.type &&
      group.user_id === labels.user_id &&
      group.username === labels.username,
  );
}

function keep(neighbours: Neighbours, group: GrowingGroup): void {
  neighbours.groups.push(group);
  if (neighbours.byLabels !== undefined) neighbours.byLabels.set(textOf(group, group.bucket), group);
  else if (neighbours.groups.length > FEW)
    neighbours.byLabels = new Map(neighbours.groups.map((known) => [textOf(known, known.bucket), known]));
}

function textOf(labels: LogLabels, bucket: number): string {
  const { user_id, username, token_name, model_name, channel_id, type, result } = labels;
  return `${user_id} ${channel_id} ${type} ${bucket} ${result} ${model_name.length} ${model_name}${token_name.length} ${token_name}${username}`;
}
