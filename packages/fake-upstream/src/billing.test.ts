import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { withUpstream } from "./testing/with-upstream.ts";

suite("billing", () => {
  test("subscription and usage give the balance that was set", async (t) => {
    const { upstream } = await withUpstream(t, { balance: { hardLimitUsd: 20, totalUsageCents: 550 } });
    const read = async (path: string): Promise<unknown> => {
      const reply = await fetch(`${upstream.url}/v1/dashboard/billing/${path}`, {
        headers: { authorization: "Bearer sk-test" },
      });
      return reply.json();
    };
    assert.partialDeepStrictEqual(await read("subscription"), { hard_limit_usd: 20, has_payment_method: true });
    const usage = await read("usage?start_date=2026-01-01&end_date=2026-01-31");
    assert.deepEqual(usage, { object: "list", total_usage: 550 });
    assert.equal(upstream.requests[1]?.query, "start_date=2026-01-01&end_date=2026-01-31");
  });
});
