import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { EventEmitter, once } from "node:events";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { createTestDatabase, whyMissing } from "@one-api/database/test-databases";
import { startStubServer } from "@one-api/stub-server/start-stub-server";
import type { DeliveredAnswer } from "../gateway/delivered-answer.ts";
import { setUpStubChannel } from "../gateway/set-up-stub-channel.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";
import { askInEveryWay } from "./ask-in-every-way.ts";
import { expectBooksInOrder } from "./expect-books-in-order.ts";

const run = promisify(execFile);
const COMMAND = path.join(import.meta.dirname, "../../apps/server/src/rotate-key/run-rotate-key.ts");
const SERVERS = [0, 1] as const;
const CALLS = 2;

const OLD = { SECRET_KEY: "the master key that has leaked to others" };
const BOTH = { SECRET_KEY: "the master key that comes in its place", SECRET_KEY_PREVIOUS: OLD.SECRET_KEY };
const NEW = { SECRET_KEY: BOTH.SECRET_KEY };

test(
  "the master key is rotated beside two servers, restarted one after the other, and no call fails",
  { skip: whyMissing("postgres") ?? false },
  async (t) => {
    const upstream = await startStubServer({ behaviour: () => ({ kind: "normal", chunkDelayMs: 20, pieces: 6 }) });
    t.after(() => upstream.close());
    const made = await createTestDatabase("postgres");
    t.after(() => made.remove());
    const { location } = made;
    const gateways: Gateway[] = [];
    t.after(() => Promise.all(gateways.map((gateway) => gateway.kill())));
    gateways.push(await startGateway(location, undefined, OLD));
    const key = await setUpStubChannel(gateways[0]?.url ?? "", upstream.at("openai"));
    gateways.push(await startGateway(location, undefined, OLD));

    const serving = new Set(gateways);
    const delivered: DeliveredAnswer[] = [];
    let isOver = false;
    const rounds = new EventEmitter();
    const load = (async () => {
      while (!isOver) {
        const asked = [...serving].map(({ url }) => askInEveryWay({ url, key }, CALLS));
        for (const answers of await Promise.all(asked)) {
          assert.equal(answers.length, CALLS);
          delivered.push(...answers);
        }
        rounds.emit("end");
      }
    })();
    const roundsEnd = async () => {
      // The first may have begun before the call.
      for (let round = 0; round < 2; round += 1) await Promise.race([load, once(rounds, "end")]);
    };
    const rollTo = async (keys: Readonly<Record<string, string>>) => {
      for (const server of SERVERS) {
        const gateway = gateways[server] ?? assert.fail();
        serving.delete(gateway);
        await roundsEnd();
        assert.equal(await gateway.terminate(), 0);
        const next = await startGateway(location, undefined, keys);
        gateways[server] = next;
        serving.add(next);
        await roundsEnd();
      }
    };

    await rollTo(BOTH);
    const env = { ...process.env, DATABASE_URL: location.databaseUrl, DATA_DIR: location.dataDirectory };
    const command = [process.execPath, ["--disable-warning=ExperimentalWarning", COMMAND]] as const;
    await run(...command, { env: { ...env, ...BOTH } });
    await roundsEnd();
    await rollTo(NEW);
    const check = await run(command[0], [...command[1], "--check"], { env: { ...env, ...NEW } });
    assert.match(check.stdout, /^channels: 0 of 1 rows/m);
    isOver = true;
    await load;
    for (const gateway of gateways) assert.equal(await gateway.terminate(), 0);
    assert.ok(delivered.length > CALLS * 10);
    await expectBooksInOrder(location, delivered);
  },
);
