import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { test } from "node:test";
import { z } from "zod";

const dataSchema = z.object({ success: z.literal(true), data: z.unknown() });
const rowsSchema = z.array(z.looseObject({ created_at: z.number().default(0), key: z.string().default("") }));

test("[START-18] [START-19] the demo has channels to stub providers, tokens, users and a month of calls", async (t) => {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const demo = spawn(process.execPath, [join(import.meta.dirname, "run-demo.ts")], {
    env: { PATH, NODE_COMPILE_CACHE, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(demo, "exit");
  t.after(async () => {
    demo.kill("SIGTERM");
    await ended;
  });
  let printed = "";
  demo.stdout.on("data", (text) => (printed += String(text)));
  while (!/Log in as root/.test(printed)) {
    const [what] = await Promise.race([ended.then(() => ["ended"]), once(demo.stdout, "data")]);
    assert.notEqual(what, "ended", printed);
  }
  const url = /ready at (http:\/\/localhost:\d+)/.exec(printed)?.[1] ?? "";
  const login = await fetch(`${url}/api/user/login`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username: "root", password: "123456" }),
  });
  const cookie = (login.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
  const list = async (path: string) => {
    const answer = await fetch(url + path, { headers: { cookie } });
    const rows = rowsSchema.parse(dataSchema.parse(await answer.json()).data);
    return { rows, total: Number(answer.headers.get("x-total-count")) };
  };
  for (const noun of ["channel", "token", "user"]) {
    const { total } = await list(`/api/${noun}/`);
    assert.ok(total >= 2, `${noun}: ${total}`);
  }
  const newest = (await list("/api/log/")).rows[0]?.created_at ?? 0;
  const monthAgo = newest - 28 * 86_400;
  assert.ok((await list(`/api/log/?end_timestamp=${monthAgo}`)).total > 0, "entries of a month ago");
  const key = (await list("/api/token/")).rows[0]?.key ?? "";
  const chat = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o-mini", messages: [{ role: "user", content: "hello" }] }),
  });
  assert.match(await chat.text(), /hello/, "a stub provider answers");
});
