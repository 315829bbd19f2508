interface MarkPlace<Mark> {
  readonly interval: number;
  /** Per cent of the chart's width, of the first one. */
  readonly place: number;
  readonly found: readonly Mark[];
}

/** Returns the marks of each interval together, in order. Marks outside of the edges are left out. */
export function markPlaces<Mark>(
  marks: readonly Mark[],
  edges: readonly number[],
  timeOf: (mark: Mark) => number,
): readonly MarkPlace<Mark>[] {
  const count = edges.length - 1;
  const byInterval = Map.groupBy(marks, (mark) => edges.findLastIndex((edge) => edge <= timeOf(mark)));
  return [...byInterval]
    .filter(([interval]) => interval >= 0 && interval < count)
    .map(([interval, found]) => {
      const [from = 0, to = 1] = [edges[interval], edges[interval + 1]];
      const times = found.map(timeOf);
      const place = (100 * (interval + (Math.min(...times) - from) / (to - from))) / count;
      return { interval, place, found };
    });
}
