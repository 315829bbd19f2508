import type { AliasEntry } from "@one-api/contract/channels/model-aliases";

/** Record of a model in requests for an alias. Rates are parts of the requests that it was tried for. */
export interface ModelRecord {
  /** Failures after which another model is tried. */
  readonly early: number;
  /** Failures of streams that had begun. */
  readonly broken: number;
  /** Streams that began after the model's deadline. */
  readonly late: number;
  /** Mean time until an early failure, in ms. */
  readonly failedMs: number;
}

export interface ChainModel extends Pick<AliasEntry, "model" | "weight" | "firstTokenMs"> {
  readonly record: ModelRecord;
}

/** Requests that end at a model of an alias. */
export interface ChainEnd {
  readonly requests: number;
  readonly errors: number;
  /** Sum of the times that models before it took, in ms. */
  readonly waitedMs: number;
  /** Requests that its deadline would have ended. */
  readonly onTime: number;
}

const NO_END: ChainEnd = { requests: 0, errors: 0, waitedMs: 0, onTime: 0 };

/**
 * Returns where requests end that the models of an alias are tried for, in the router's order. With weights the first model
 * is drawn, and the others follow by weight. A deadline holds while another model is left.
 */
export function endsOf(models: readonly ChainModel[], requests: number): ReadonlyMap<string, ChainEnd> {
  const ends = new Map<string, ChainEnd>();
  for (const { order, part } of ordersOf(models)) {
    let [left, waitedMs] = [requests * part, 0];
    for (const [index, { model, firstTokenMs, record }] of order.entries()) {
      const isLast = index === order.length - 1;
      const late = isLast || firstTokenMs === undefined ? 0 : record.late;
      const moving = isLast ? 0 : record.early + late;
      const { requests: known, errors, waitedMs: waited, onTime } = ends.get(model) ?? NO_END;
      const ended = left * (1 - moving);
      ends.set(model, {
        requests: known + ended,
        errors: errors + left * (record.broken + (isLast ? record.early : 0)),
        waitedMs: waited + ended * waitedMs,
        onTime: onTime + (isLast || firstTokenMs === undefined ? 0 : ended),
      });
      if (moving > 0) waitedMs += (record.early * record.failedMs + late * (firstTokenMs ?? 0)) / moving;
      left -= ended;
    }
  }
  return ends;
}

interface DrawnOrder {
  readonly order: readonly ChainModel[];
  readonly part: number;
}

function ordersOf(models: readonly ChainModel[]): readonly DrawnOrder[] {
  const weightOf = ({ weight = 0 }: ChainModel) => weight;
  const byWeight = models.toSorted((left, right) => weightOf(right) - weightOf(left));
  const total = byWeight.reduce((sum, each) => sum + weightOf(each), 0);
  if (total === 0) return [{ order: byWeight, part: 1 }];
  return byWeight
    .filter((first) => weightOf(first) > 0)
    .map((first) => ({
      order: [first, ...byWeight.filter((each) => each !== first)],
      part: weightOf(first) / total,
    }));
}
