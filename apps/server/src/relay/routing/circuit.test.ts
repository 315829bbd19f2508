import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Circuit } from "./circuit.ts";

const SECOND = 1_000;

/** A circuit that five failures at 0 ms have opened for 15 s. */
function openCircuit(): Circuit {
  const circuit = new Circuit();
  for (let failure = 0; failure < 5; failure += 1) circuit.fail(0);
  assert.equal(circuit.openUntil(0), 15 * SECOND);
  return circuit;
}

describe("circuit of a channel", () => {
  test("sends one probe when the open state is over, and holds back the others until its result", () => {
    const circuit = openCircuit();
    assert.deepEqual([circuit.share(14_999), circuit.share(15_000)], [0, 1]);
    circuit.send(15_000);
    assert.equal(circuit.share(15_000), 0);
    assert.equal(circuit.share(30_000), 1, "a probe without a result is followed by another one");
  });

  test("gives a tenth of the requests for ten seconds after an answered probe, then all", () => {
    const circuit = openCircuit();
    circuit.send(15_000);
    circuit.answer(16_000);
    assert.deepEqual([circuit.share(16_000), circuit.share(25_999), circuit.share(26_000)], [0.1, 0.1, 1]);
  });

  test("opens for four times as long after each failed probe, up to five minutes", () => {
    const circuit = openCircuit();
    const openings: number[] = [];
    let now = 15 * SECOND;
    for (let probe = 0; probe < 4; probe += 1) {
      circuit.send(now);
      circuit.fail(now);
      const until = circuit.openUntil(now) ?? 0;
      openings.push((until - now) / SECOND);
      now = until;
    }
    assert.deepEqual(openings, [60, 240, 300, 300]);
  });

  test("loses three probes to a provider that fails for ten minutes", () => {
    const circuit = openCircuit();
    let lost = 0;
    let now = 0;
    for (; circuit.share(now) !== 0.1; now += SECOND) {
      if (circuit.share(now) === 0) continue;
      circuit.send(now);
      if (now > 600 * SECOND) circuit.answer(now);
      else circuit.fail(now);
      lost += now > 600 * SECOND ? 0 : 1;
    }
    assert.equal(lost, 3);
    assert.ok(now < 660 * SECOND, `it recovered after ${now / SECOND} s`);
  });

  test("opens again after three failures in a row while it recovers, for longer than before", () => {
    const circuit = openCircuit();
    circuit.send(15_000);
    circuit.answer(15_000);
    circuit.fail(16_000);
    circuit.fail(16_000);
    circuit.answer(16_000);
    circuit.fail(17_000);
    circuit.fail(17_000);
    assert.equal(circuit.openUntil(17_000), undefined);
    circuit.fail(17_000);
    assert.equal(circuit.openUntil(17_000), 77_000);
  });

  test("begins with the shortest open state again after a recovery", () => {
    const circuit = openCircuit();
    circuit.send(15_000);
    circuit.answer(15_000);
    circuit.answer(25_000);
    for (let failure = 0; failure < 5; failure += 1) circuit.fail(100_000);
    assert.equal(circuit.openUntil(100_000), 115_000);
  });

  test("a probe that is refused for what it says leaves the place to the next request", () => {
    const circuit = openCircuit();
    circuit.send(15_000);
    assert.equal(circuit.share(16_000), 0);
    circuit.refuse(16_000);
    assert.equal(circuit.share(16_000), 1);
    circuit.send(16_000);
    assert.equal(circuit.share(16_000), 0);
    circuit.answer(17_000);
    assert.ok(circuit.share(17_000) > 0);
  });

  test("failures of requests that were sent while it is open prolong nothing", () => {
    const circuit = openCircuit();
    circuit.send(1_000);
    circuit.fail(2_000);
    assert.equal(circuit.openUntil(2_000), 15_000);
  });
});
