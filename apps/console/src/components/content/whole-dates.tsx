const DATE = /(\d{4}-\d\d-\d\d)/;

/** A sentence whose dates stay in one line: browsers break lines at their hyphens. */
export function WholeDates({ children }: { children: string }) {
  return children.split(DATE).map((part) =>
    DATE.test(part) ? (
      <time key={part} data-short="true">
        {part}
      </time>
    ) : (
      part
    ),
  );
}
