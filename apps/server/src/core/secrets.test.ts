import assert from "node:assert/strict";
import { test } from "node:test";
import { createSecrets, placeOf, SecretError } from "./secrets.ts";

const [OLD, NEW] = ["an old master key of enough length", "a new master key of enough length"];

test("a secret is opened for its purpose alone, with either master key", () => {
  const sealed = createSecrets(OLD).seal("channel-key", "sk-secret");
  assert.equal(createSecrets(NEW, OLD).open("channel-key", sealed, ""), "sk-secret");
  assert.equal(createSecrets(NEW, OLD).keyOf("channel-key", sealed), "previous");
  assert.equal(createSecrets(NEW, OLD).keyOf("token-key", sealed), undefined);
  assert.equal(createSecrets(NEW).keyOf("channel-key", sealed), undefined);
});

test("a secret that does not open is reported with its row, without any of its text", () => {
  const sealed = createSecrets(OLD).seal("channel-key", "sk-secret");
  const cut = sealed.slice(0, 20);
  for (const text of [sealed, cut, "plain", ""])
    assert.throws(
      () => createSecrets(NEW).open("channel-key", text, placeOf("channels", 12, "main")),
      (error) => {
        assert.ok(error instanceof SecretError);
        assert.equal(
          error.message,
          "The channel-key of channels 12 (main) cannot be decrypted with the server's master key.",
        );
        return true;
      },
    );
});

test("a database is written with its own key, and signing keys stay when that changes", () => {
  const [old, both] = [createSecrets(OLD), createSecrets(NEW, OLD)];
  both.belongTo("previous", undefined);
  assert.equal(old.open("token-key", both.seal("token-key", "text"), ""), "text");
  assert.equal(both.lookup("sk-1"), old.lookup("sk-1"));

  const carried = both.carrySigningKeys();
  both.belongTo("current", carried);
  const renewed = createSecrets(NEW);
  assert.notEqual(renewed.lookup("sk-1"), old.lookup("sk-1"));
  renewed.belongTo("current", carried);
  assert.equal(renewed.open("token-key", both.seal("token-key", "text"), ""), "text");
  for (const secrets of [both, renewed]) {
    assert.equal(secrets.lookup("sk-1"), old.lookup("sk-1"));
    for (const purpose of ["audit-seal", "login-device", "identity"] as const)
      assert.equal(secrets.sign(purpose, "x"), old.sign(purpose, "x"));
  }
});

test("only texts of the previous key are encrypted anew", () => {
  const both = createSecrets(NEW, OLD);
  const anew = both.sealAnew("totp-key", createSecrets(OLD).seal("totp-key", "key"), "");
  assert.ok(anew !== undefined);
  assert.equal(createSecrets(NEW).open("totp-key", anew, ""), "key");
  assert.equal(both.sealAnew("totp-key", anew, ""), undefined);
});
