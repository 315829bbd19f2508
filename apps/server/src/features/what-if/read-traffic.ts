import type { ReplayQuestion, ReplayRow, TrafficRow } from "@one-api/log-store/questions";
import { addSums } from "@one-api/log-store/usage-sums";
import type { CallContext } from "../../core/call-context.ts";
import { nowSeconds } from "../../platform/clock.ts";
import { askLog } from "../logs/index.ts";
import { listUsersByGroup } from "../users/index.ts";

const DAY_SECONDS = 86_400;
const DEFAULT_GROUP = "default";

export interface ModelTraffic {
  readonly group: string;
  readonly model: string;
  readonly rows: readonly TrafficRow[];
}

type RowsByGroup = ReadonlyMap<string, readonly ReplayRow[]>;

export interface AffectedNames {
  readonly models: ReadonlySet<string>;
  readonly aliases: ReadonlySet<string>;
}

export interface Traffic {
  readonly models: readonly ModelTraffic[];
  /** Reads the requests that a replay of an alias needs, by group. */
  replay(question: Pick<ReplayQuestion, "alias" | "models" | "promptEdges" | "deadlines">): Promise<RowsByGroup>;
  /** Counts the users with requests for the affected models and aliases, by group. */
  countUsers(affected: ReadonlyMap<string, AffectedNames>): Promise<number>;
}

/**
 * Reads the requests of the last days by group, model and channel. A user counts for the first of his groups, a deleted
 * one for `default`.
 */
export async function readTraffic(
  context: Pick<CallContext, "database" | "clock" | "logStore" | "signal">,
  days: number,
): Promise<Traffic> {
  const byGroup = await listUsersByGroup(context.database.db);
  const names = [...byGroup.keys()];
  const end = nowSeconds(context.clock) + 1;
  const start = end - days * DAY_SECONDS;
  const groups = names.map((name) => byGroup.get(name) ?? []);
  const groupOf = ({ group }: TrafficRow) => names[group] ?? DEFAULT_GROUP;
  const read = async (): Promise<ModelTraffic[]> => {
    const { answer } = await askLog(context, { kind: "traffic", start, end, groups });
    const models = Map.groupBy(answer, (row) => JSON.stringify([groupOf(row), row.model]));
    return [...models.values()].flatMap((rows) => {
      const [first] = rows;
      return first === undefined ? [] : [{ group: groupOf(first), model: first.model, rows: byChannel(rows) }];
    });
  };
  return {
    models: await read(),
    async replay(question) {
      const { answer } = await askLog(context, { kind: "replay", start, end, groups, ...question });
      return Map.groupBy(answer, groupOf);
    },
    async countUsers(affected) {
      let users = 0;
      for (const [group, { models, aliases }] of affected) {
        const userIds = byGroup.get(group) ?? [];
        const question = { kind: "users", userIds, models: [...models], aliases: [...aliases], since: start } as const;
        users += (await askLog(context, question)).answer;
      }
      return users;
    },
  };
}

function byChannel(rows: readonly TrafficRow[]): TrafficRow[] {
  return [...Map.groupBy(rows, ({ channelId }) => channelId).values()].map((ofChannel) =>
    ofChannel.reduce((left, right) => ({
      ...left,
      sums: addSums(left.sums, right.sums),
      firstByteMs: left.firstByteMs ?? right.firstByteMs,
    })),
  );
}
