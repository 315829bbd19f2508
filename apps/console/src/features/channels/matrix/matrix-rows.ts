import type { ChannelMatrix } from "@one-api/contract/channels/channel-matrix";
import type { ChannelShare } from "@one-api/contract/channels/channel-share";
export interface MatrixRow {
  readonly id: number;
  readonly name: string;
  readonly type: number;
  readonly priority: number;
  /** By model. */
  readonly shares: ReadonlyMap<string, ChannelShare>;
}

/** One row for each channel that serves a model, those of the highest priority first. */
export function matrixRows({ models }: ChannelMatrix): MatrixRow[] {
  const rows = new Map<number, MatrixRow & { readonly shares: Map<string, ChannelShare> }>();
  for (const { model, shares } of models)
    for (const share of shares) {
      const { channel: id, name, type, priority } = share;
      const row = rows.get(id) ?? { id, name, type, priority, shares: new Map<string, ChannelShare>() };
      row.shares.set(model, share);
      rows.set(id, row);
    }
  return [...rows.values()].sort(
    (left, right) => right.priority - left.priority || left.name.localeCompare(right.name),
  );
}

export function sharesOf({ models }: ChannelMatrix): (channel: number, model: string) => number {
  const shares = new Map(
    models.flatMap(({ model, shares: of }) => of.map(({ channel, share }) => [`${channel} ${model}`, share] as const)),
  );
  return (channel, model) => shares.get(`${channel} ${model}`) ?? 0;
}

/** Width in characters with which a name needs two lines at most: it breaks after hyphens and slashes. */
export function widthOnTwoLines(name: string): number {
  const parts = name.split(/(?<=[-/])/);
  const widths = parts.map((_, index) => {
    const first = parts.slice(0, index + 1).join("").length;
    return Math.max(first, name.length - first);
  });
  return Math.min(...widths);
}
