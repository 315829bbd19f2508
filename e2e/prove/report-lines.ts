import type { TestEvent } from "node:test/reporters";

/** A line of the report: a test that has ended, or what a test said. */
export interface ReportLine {
  readonly name: string;
  readonly outcome: "passed" | "failed" | "skipped" | "said";
  /** Of a failure or a skipped test. */
  readonly reason: string;
}

/** A reporter for `node --test-reporter`: one JSON document a line. */
export default async function* reportLines(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    const line = lineOf(event);
    if (line !== undefined) yield `${JSON.stringify(line)}\n`;
  }
}

function lineOf({ type, data }: TestEvent): ReportLine | undefined {
  switch (type) {
    case "test:pass":
      if (data.skip !== undefined && data.skip !== false)
        return { name: data.name, outcome: "skipped", reason: String(data.skip) };
      return data.details.type === "suite" ? undefined : { name: data.name, outcome: "passed", reason: "" };
    case "test:fail": {
      // A suite fails with its tests, or by a hook of its own.
      const { message, failureType } = errorOf(data.details.error);
      if (data.details.type === "suite" && failureType === "subtestsFailed") return undefined;
      return { name: data.name, outcome: "failed", reason: message };
    }
    case "test:diagnostic":
      return { name: data.message, outcome: "said", reason: "" };
    default:
      return undefined;
  }
}

/** Node wraps what a test threw, and says which part of it failed. */
function errorOf(wrapper: Error): { message: string; failureType: string } {
  const failureType = "failureType" in wrapper ? String(wrapper.failureType) : "";
  const { cause } = wrapper;
  const message = cause instanceof Error ? (cause.stack ?? cause.message) : wrapper.message;
  return { message, failureType };
}
