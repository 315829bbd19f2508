import assert from "node:assert/strict";
import { suite, test, type TestContext } from "node:test";
import { DeepLClient } from "deepl-node";
import { withStubServer } from "@one-api/stub-server/testing/with-stub-server";

async function connect(t: TestContext, keys?: readonly string[]) {
  const { upstream } = await withStubServer(t, keys === undefined ? {} : { keys });
  const client = new DeepLClient("key:fx", { serverUrl: upstream.at("deepl"), maxRetries: 0 });
  return { upstream, client };
}

suite("DeepL's API through the deepl-node SDK", () => {
  test("translates one text and several, and reports the billed characters", async (t) => {
    const { client } = await connect(t);
    const one = await client.translateText("Grüße, 深 🙂", null, "zh");
    assert.deepEqual([one.text, one.billedCharacters], ["You said: Grüße, 深 🙂", 10]);
    const several = await client.translateText(["a", "bc"], "de", "en-US");
    assert.deepEqual(
      several.map(({ billedCharacters }) => billedCharacters),
      [1, 2],
    );
  });

  test("lists its languages, and refuses invalid requests in DeepL's format", async (t) => {
    const { client } = await connect(t);
    assert.ok((await client.getTargetLanguages()).some(({ code }) => code === "ja"));
    await assert.rejects(client.translateText("hello", null, "zu"), /target_lang' not supported/);
    const { client: stranger } = await connect(t, ["another"]);
    await assert.rejects(stranger.translateText("hello", null, "de"));
  });
});
