/** Values of a gateway's metrics without labels, by name. The event loop's delay is that since the last reading. */
export async function readMetrics(gatewayUrl: string): Promise<(name: string) => number> {
  const text = await (await fetch(`${gatewayUrl}/metrics`)).text();
  const values = new Map(
    [...text.matchAll(/^([a-z0-9_]+) (\S+)$/gm)].map(([, name = "", value]) => [name, Number(value)]),
  );
  return (name) => {
    const value = values.get(name);
    if (value === undefined) throw new Error(`The gateway has no metric ${name}: ${text.slice(0, 300)}`);
    return value;
  };
}

export const MEMORY_BYTES = "process_resident_memory_bytes";
export const OPEN_FILES = "process_open_fds";
/** Seconds; 10 ms of them are the sampler's own step. */
export const LOOP_DELAY_P99 = "nodejs_eventloop_lag_p99_seconds";
