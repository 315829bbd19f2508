import { DEFAULT_ROOT_PASSWORD } from "@one-api/contract/constants";
import type { Call } from "@one-api/contract/call";
import { createChannel } from "@one-api/contract/channels/channel";
import { envelopeSchema } from "@one-api/contract/envelope";
import { updateOption } from "@one-api/contract/options/option";
import { createRedemptions, redeemCode } from "@one-api/contract/redemption";
import { createToken, tokenSchema } from "@one-api/contract/token";
import type { FastifyInstance } from "fastify";
import { nowSeconds } from "../platform/clock.ts";
import { startSession } from "../features/sessions/index.ts";
import { findUserForLogin } from "../features/users/index.ts";
import type { Wired } from "../wire.ts";
import { sampleChannels } from "./sample-channels.ts";
import { bookSampleCalls, SAMPLE_ALIASES, type SampleToken } from "./sample-logs.ts";
import { addSampleUsers, SAMPLE_PASSWORD, type SampleUser } from "./sample-users.ts";

const MONTH_SECONDS = 31 * 86_400;
/** An own price beside those of the list, and cheaper groups. */
const SAMPLE_RATIOS = {
  ModelRatio: { "mistral-large-latest": 1.2 },
  GroupRatio: { default: 1, vip: 0.9, svip: 0.8 },
};
const SAMPLE_TOKENS = ["Notebook", "Support bot"];

/** Adds channels, users, tokens and a month of calls to an empty server. Returns lines with the logins. */
export async function fillWithSamples(
  app: FastifyInstance,
  wired: Wired,
  upstreams: readonly string[],
): Promise<string[]> {
  const { database, clock } = wired.deps;
  const now = nowSeconds(clock);
  const root = await findUserForLogin(database.db, "root");
  if (root === undefined) throw new Error("There is no root to make the samples.");
  const asRoot = await logIn(app, wired, root.id);
  for (const channel of sampleChannels(upstreams)) await asRoot(createChannel, channel);
  await asRoot(updateOption, { key: "ModelAliases", value: JSON.stringify(SAMPLE_ALIASES) });
  const users = await addSampleUsers(database, now - MONTH_SECONDS);
  const tokens: SampleToken[] = [];
  for (const user of [{ id: root.id, username: "root" }, ...users]) tokens.push(...(await addTokens(app, wired, user)));
  await addRedemptions(asRoot, users[0] === undefined ? asRoot : await logIn(app, wired, users[0].id));
  await bookSampleCalls(wired.relay.services.ledger, wired.options, tokens, now);
  for (const [key, ratios] of Object.entries(SAMPLE_RATIOS))
    await asRoot(updateOption, { key, value: JSON.stringify(ratios) });
  return [
    `Log in as root / ${DEFAULT_ROOT_PASSWORD}, or as ${users.map(({ username }) => username).join(", ")} / ${SAMPLE_PASSWORD}.`,
  ];
}

async function addTokens(app: FastifyInstance, wired: Wired, user: SampleUser): Promise<SampleToken[]> {
  const call = await logIn(app, wired, user.id);
  const tokens: SampleToken[] = [];
  for (const name of SAMPLE_TOKENS) {
    const token = tokenSchema.parse(await call(createToken, { name, remain_quota: 3_000_000 }));
    tokens.push({ id: token.id, name, userId: user.id, username: user.username });
  }
  return tokens;
}

async function addRedemptions(asRoot: MakeCall, asUser: MakeCall): Promise<void> {
  await asRoot(createRedemptions, { name: "Shop, 20 dollars", quota: 10_000_000, count: 3 });
  const codes = await asRoot(createRedemptions, { name: "Welcome gift", quota: 500_000, count: 2 });
  const [key] = createRedemptions.data.parse(codes);
  await asUser(redeemCode, { key });
}

type MakeCall = (call: Pick<Call, "method" | "path">, body: unknown) => Promise<unknown>;

async function logIn(app: FastifyInstance, wired: Wired, userId: number): Promise<MakeCall> {
  const { database, clock } = wired.deps;
  const session = await startSession(database.db, {
    userId,
    address: "127.0.0.1",
    userAgent: "demo",
    now: nowSeconds(clock),
  });
  return async (call, body) => {
    const answer = await app.inject({
      method: call.method,
      url: call.path,
      headers: { "content-type": "application/json" },
      cookies: { session },
      payload: JSON.stringify(body),
    });
    const envelope = envelopeSchema.parse(answer.json());
    if (!envelope.success) throw new Error(`The samples could not be made: ${envelope.message}`);
    return envelope.data;
  };
}
