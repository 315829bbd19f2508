import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { eachDatabase } from "@one-api/database/test-databases";
import { SeenCertificates } from "../../platform/network/seen-certificates.ts";
import { createTestMails, type TestMails } from "../../testing/create-test-mails.ts";
import { alertText, takePendingAlerts } from "../alerts/index.ts";
import { alertExpiringCertificates } from "./index.ts";

const DAY = 86_400;

eachDatabase((open) => {
  let mails: TestMails;
  let certificates: SeenCertificates;
  beforeEach(async () => {
    mails = await createTestMails(await open());
    certificates = new SeenCertificates(() => mails.clock.nowMs());
    await addChannel("main", { base_url: "https://api.example.com/v1" });
  });

  interface More {
    readonly type?: number;
    readonly base_url?: string;
    readonly dialect_urls?: string;
    readonly proxy?: string;
    readonly status?: number;
  }

  const addChannel = (name: string, more: More) => {
    const texts = { base_url: "", other: "", models: "", group: "", model_mapping: "", system_prompt: "" };
    const rest = { organization: "", config: "", config_cipher: "", key_cipher: "" };
    const numbers = { type: 1, status: 1, soft_limit_usd: 0, calc_prompt: 1, priority: 0, weight: 0 } as const;
    const channel = { ...texts, ...rest, ...numbers, name, created_time: 1, ...more };
    return mails.database.db.insertInto("channels").values(channel).execute();
  };
  /** Days from now. */
  const see = (host: string, from: number, to: number) => {
    const at = (days: number) => new Date(mails.clock.nowMs() + days * DAY * 1_000).toUTCString();
    certificates.note(host, { valid_from: at(from), valid_to: at(to) });
  };
  const reported = async (commonProxy = "") => {
    const regionalAddresses = () => Promise.resolve(["https://bedrock-runtime.eu-west-1.amazonaws.com"]);
    const deps = { ...mails, certificates, commonProxy: () => commonProxy, regionalAddresses };
    await Promise.all([alertExpiringCertificates(deps), alertExpiringCertificates(deps)]);
    return (await takePendingAlerts(mails.database.db)).map(({ alert }) =>
      alertText(alert, "en").replace(/ at \S+ \S+ UTC/, ""),
    );
  };
  const pass = (days: number) => mails.clock.advanceSeconds(days * DAY);
  const text = (end: string) => `The certificate of api.example.com ${end}. Channels: main.`;

  test("a certificate is reported 14 and 3 days before its end and at it, once each, while it is in use", async () => {
    see("api.example.com", -75, 15);
    assert.deepEqual(await reported(), []);
    pass(1);
    see("api.example.com", -76, 14);
    assert.deepEqual(await reported(), [text("expires, within 14 days")]);
    assert.deepEqual(await reported(), []);
    pass(11);
    see("api.example.com", -87, 3);
    assert.deepEqual(await reported(), [text("expires, within 3 days")]);
    pass(3);
    assert.deepEqual(await reported(), [text("expired")]);
    pass(30);
    assert.deepEqual(await reported(), []);
  });

  test("a renewed certificate is not reported before its own marks, also beside the one before", async () => {
    see("api.example.com", -80, 10);
    assert.equal((await reported()).length, 1);
    see("api.example.com", 0, 45);
    assert.deepEqual(await reported(), []);
    see("api.example.com", -80, 10);
    assert.deepEqual(await reported(), [], "another server of the host has the old one");
    see("api.example.com", 0, 45);
    pass(32);
    see("api.example.com", -32, 13);
    assert.deepEqual(await reported(), [text("expires, within 14 days")]);
  });

  test("short-lived certificates are reported when little of their time is left", async () => {
    see("api.example.com", -1, 6);
    assert.deepEqual(await reported(), [], "7 days, renewed every 3 days");
    see("api.example.com", -7, -0.1);
    assert.deepEqual(await reported(), [text("expired")]);
  });

  test("hosts of dialects, and those that a region decides, are reported", async () => {
    await addChannel("dialects", { dialect_urls: '{"anthropic":"https://claude.example.com/anthropic"}' });
    await addChannel("bedrock", { type: 33 });
    await addChannel("moved bedrock", { type: 33, base_url: "https://aws.example.com" });
    for (const host of ["claude.example.com", "bedrock-runtime.eu-west-1.amazonaws.com"]) see(host, -80, 2);
    assert.deepEqual((await reported()).toSorted(), [
      "The certificate of bedrock-runtime.eu-west-1.amazonaws.com expires, within 3 days. Channels: bedrock.",
      "The certificate of claude.example.com expires, within 3 days. Channels: dialects.",
    ]);
  });

  test("hosts of proxies are reported, hosts of disabled channels and others are not", async () => {
    await addChannel("tunnelled", { proxy: "https://***@proxy.example.com:8443" });
    await addChannel("off", { base_url: "https://off.example.com", status: 2 });
    for (const host of ["off.example.com", "hook.example.com", "proxy.example.com", "common.example.com"])
      see(host, -80, 2);
    assert.deepEqual(await reported("https://me:word@common.example.com"), [
      "The certificate of proxy.example.com expires, within 3 days. Channels: tunnelled.",
      "The certificate of common.example.com expires, within 3 days.",
    ]);
  });
});
