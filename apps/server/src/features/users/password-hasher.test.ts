import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { describe, test } from "node:test";
import { AppError } from "../../core/app-error.ts";
import { createConcurrencyLimit } from "../../platform/work/concurrency-limit.ts";
import { createPasswordHasher, isBcryptHash } from "./password-hasher.ts";

describe("the password hasher", () => {
  const hasher = createPasswordHasher();

  test("makes a different hash every time, all valid for the password only", async () => {
    const [one, two] = [await hasher.hash("secret word"), await hasher.hash("secret word")];
    assert.notEqual(one, two);
    assert.equal(await hasher.verify("secret word", one), true);
    assert.equal(await hasher.verify("secret word", two), true);
    assert.equal(await hasher.verify("secret Word", one), false);
  });

  test("has the cost that OWASP recommends", async () => {
    assert.match(await hasher.hash("secret word"), /^\$argon2id\$v=19\$m=47104,t=1,p=1\$/);
  });

  test("reads hashes with other costs", async () => {
    // The reference implementation's answer for "password" with salt "somesalt" (argon2 test vectors, m=256, t=2, p=1).
    const reference = "$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4";
    assert.equal(await hasher.verify("password", reference), true);
    assert.equal(await hasher.verify("passwore", reference), false);
  });

  test("recognises hashes of One API", async () => {
    // An answer of OpenBSD's bcrypt (its test vectors, cost 5).
    const bcrypt = "$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW";
    assert.equal(isBcryptHash(bcrypt), true);
    assert.equal(await hasher.verify("U*U", bcrypt), true);
    assert.equal(await hasher.verify("U*V", bcrypt), false);
    for (const other of ["", "plain", await hasher.hash("U*U"), bcrypt.replace("$05$", "$31$")])
      assert.equal(isBcryptHash(other), false, other);
  });

  test("returns false without a hash", async () => {
    assert.equal(await hasher.verify("", undefined), false);
    assert.equal(await hasher.verify("", ""), false);
  });

  test("does the same work without an account, so that timing reveals nothing", async (t) => {
    const known = await hasher.hash("secret word");
    const { mock } = t.mock.method(crypto, "argon2");
    syncBuiltinESMExports();
    t.after(() => {
      t.mock.restoreAll();
      syncBuiltinESMExports();
    });
    for (const passwordHash of [known, undefined, ""]) await hasher.verify("secret word", passwordHash);
    const works = mock.calls.map(({ arguments: [, { memory, passes, parallelism, tagLength }] }) => [
      memory,
      passes,
      parallelism,
      tagLength,
    ]);
    assert.deepEqual(
      works,
      Array.from({ length: 3 }, () => [47_104, 1, 1, 32]),
    );
  });
});

describe("the limiter", () => {
  test("runs two at once in order, and refuses beyond the queue", async () => {
    const limit = createConcurrencyLimit(2, 3, () => {
      throw new AppError("login-busy", "full");
    });
    const release: (() => void)[] = [];
    const started: number[] = [];
    const run = (id: number) =>
      limit(() => {
        started.push(id);
        return new Promise<void>((resolve) => release.push(resolve));
      });
    const running = [1, 2, 3, 4, 5].map(run);
    await assert.rejects(run(6), (error) => error instanceof AppError && error.code === "login-busy");
    assert.deepEqual(started, [1, 2]);
    for (let next = 0; next < 5; next += 1) {
      release[next]?.();
      await running[next];
    }
    assert.deepEqual(started, [1, 2, 3, 4, 5]);
  });

  test("frees the slot after a failure", async () => {
    const limit = createConcurrencyLimit(1, 0, () => {
      throw new Error("full");
    });
    await assert.rejects(
      limit(() => Promise.reject(new Error("work"))),
      /work/,
    );
    assert.equal(await limit(async () => "next"), "next");
  });
});
