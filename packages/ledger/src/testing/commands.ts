import fc from "fast-check";
import type { Fault } from "./network.ts";
import type { ModelRequest } from "./reference.ts";
import type { World } from "./world.ts";

/** Nothing: the reference is part of the world, which knows what each call answered. */
type Nothing = Record<string, never>;

/** A step of a run; after each the database is compared with the reference. */
class Step implements fc.AsyncCommand<Nothing, World> {
  readonly #name: string;
  readonly #run: (world: World) => Promise<unknown> | undefined;

  constructor(name: string, run: (world: World) => Promise<unknown> | undefined) {
    this.#name = name;
    this.#run = run;
  }

  check(): boolean {
    return true;
  }

  async run(_model: Nothing, world: World): Promise<void> {
    const work = this.#run(world);
    if (work === undefined) return;
    await work;
    await world.check();
  }

  toString(): string {
    return this.#name;
  }
}

const index = fc.nat(63);
const payer = fc.nat(1);
const amount = fc.integer({ min: 0, max: 60 });
/** A charge as hundredths of the reservation: less, equal, more, or undefined for nothing delivered. */
const share = fc.option(fc.constantFrom(0, 0.2, 0.9, 1, 1, 1.3, 3), { nil: undefined });
const fault = fc.constantFrom<Fault>("before", "after", "late");

function pick<Item>(items: readonly Item[], at: number): Item | undefined {
  return items[at % Math.max(1, items.length)];
}

/** A request of a server that answers, in one of the states. */
function requestIn(world: World, at: number, ...states: readonly ModelRequest["state"][]): ModelRequest | undefined {
  const { awake } = world;
  const found = [...world.reference.requests.values()].filter(
    ({ state, server }) => states.includes(state) && awake.includes(server),
  );
  return pick(found, at);
}

function chargeOf({ amount: reserved }: ModelRequest, part: number | undefined): number | undefined {
  return part === undefined ? undefined : Math.ceil(reserved * part);
}

const reserve = fc.tuple(index, payer, amount).map(
  ([at, who, much]) =>
    new Step(`reserve(${at}, ${who}, ${much})`, (world) => {
      const server = pick(world.awake, at);
      return server === undefined ? undefined : world.reserve(server, who, much);
    }),
);

const reserveMany = fc.tuple(payer, fc.array(fc.tuple(index, amount), { minLength: 2, maxLength: 6 })).map(
  ([who, many]) =>
    new Step(`reserveMany(${who}, ${JSON.stringify(many)})`, async (world) => {
      for (const [at, much] of many) {
        const server = pick(world.awake, at);
        if (server !== undefined) await world.reserve(server, who, much);
      }
    }),
);

const settle = fc.tuple(index, share).map(
  ([at, part]) =>
    new Step(`settle(${at}, ${part})`, (world) => {
      const request = requestIn(world, at, "open", "doubt");
      return request && world.settle(request.id, chargeOf(request, part));
    }),
);

const settleMany = fc.array(fc.tuple(index, share), { minLength: 2, maxLength: 6 }).map(
  (many) =>
    new Step(`settleMany(${JSON.stringify(many)})`, (world) => {
      const chosen = new Map<ModelRequest, number | undefined>();
      for (const [at, part] of many) {
        const request = requestIn(world, at, "open", "doubt");
        if (request !== undefined) chosen.set(request, chargeOf(request, part));
      }
      return Promise.all([...chosen].map(([{ id }, charge]) => world.settle(id, charge)));
    }),
);

const settleAgain = fc.tuple(index, share).map(
  ([at, part]) =>
    new Step(`settleAgain(${at}, ${part})`, (world) => {
      const request = requestIn(world, at, "settled", "dead");
      return request && world.settle(request.id, chargeOf(request, part));
    }),
);

const settleInDoubt = fc.tuple(index, share, fault).map(
  ([at, part, how]) =>
    new Step(`settleInDoubt(${at}, ${part}, ${how})`, (world) => {
      const request = requestIn(world, at, "open", "doubt");
      if (request === undefined) return undefined;
      return world.withFault(request.server, how, () => world.settle(request.id, chargeOf(request, part)));
    }),
);

const reserveInDoubt = fc.tuple(index, payer, amount, fault).map(
  ([at, who, much, how]) =>
    new Step(`reserveInDoubt(${at}, ${who}, ${much}, ${how})`, (world) => {
      const server = pick(world.awake, at);
      return server === undefined
        ? undefined
        : world.withFault(server, how, () => world.reserveInDoubt(server, who, much));
    }),
);

const checkpointInDoubt = fc.tuple(index, fc.constantFrom(0.1, 0.5, 0.9), fault).map(
  ([at, part, how]) =>
    new Step(`checkpointInDoubt(${at}, ${part}, ${how})`, (world) => {
      const request = requestIn(world, at, "open");
      if (request === undefined) return undefined;
      const delivered = Math.floor(request.amount * part);
      return world.withFault(request.server, how, () => world.checkpoint(request.id, delivered));
    }),
);

/** Work beside requests fails: charges are applied, and idle quota goes back. It is over before others declare the server dead. */
const passInDoubt = fc.tuple(index, fc.constantFrom(1, 5, 15), fault, fc.nat(4)).map(
  ([at, seconds, how, passing]) =>
    new Step(`passInDoubt(${at}, ${seconds}, ${how}, ${passing})`, async (world) => {
      const server = pick(world.awake, at);
      if (server === undefined) return;
      await world.withFault(server, how, () => world.pass(seconds), passing);
      await world.pass(6);
    }),
);

/** An administrator takes quota away while the server's connection breaks. */
const grantInDoubt = fc.tuple(index, payer, fc.integer({ min: -40, max: -1 }), fault, fc.nat(4)).map(
  ([at, who, much, how, passing]) =>
    new Step(`grantInDoubt(${at}, ${who}, ${much}, ${how}, ${passing})`, (world) => {
      const server = pick(world.awake, at);
      if (server === undefined) return undefined;
      return world.withFault(server, how, () => world.grant(server, who, much), passing);
    }),
);

const release = index.map(
  (at) =>
    new Step(`release(${at})`, (world) => {
      const request = requestIn(world, at, "open");
      return request && world.release(request.id);
    }),
);

const checkpoint = fc.tuple(index, fc.constantFrom(0.1, 0.5, 0.9, 1)).map(
  ([at, part]) =>
    new Step(`checkpoint(${at}, ${part})`, (world) => {
      const request = requestIn(world, at, "open");
      return request && world.checkpoint(request.id, Math.floor(request.amount * part));
    }),
);

const kill = index.map(
  (at) =>
    new Step(`kill(${at})`, async (world) => {
      const server = pick(world.awake, at);
      if (server === undefined) return;
      await world.kill(server);
      if (world.awake.length === 0) await world.start();
    }),
);

const start = fc.constant(
  new Step("start", (world) => (world.kind === "sqlite" || world.awake.length > 2 ? undefined : world.start())),
);

const freeze = index.map(
  (at) =>
    new Step(`freeze(${at})`, (world) => {
      const server = pick(world.awake, at);
      return world.kind === "sqlite" || server === undefined || world.awake.length < 2
        ? undefined
        : world.freeze(server);
    }),
);

const wake = index.map(
  (at) =>
    new Step(`wake(${at})`, (world) => {
      const server = pick(world.frozen, at);
      return server === undefined ? undefined : world.wake(server);
    }),
);

const grant = fc.tuple(index, payer, fc.integer({ min: -40, max: 80 })).map(
  ([at, who, much]) =>
    new Step(`grant(${at}, ${who}, ${much})`, (world) => {
      const server = pick(world.awake, at);
      return server === undefined ? undefined : world.grant(server, who, much);
    }),
);

const redeem = fc.tuple(index, payer, amount).map(
  ([at, who, much]) =>
    new Step(`redeem(${at}, ${who}, ${much})`, (world) => {
      const server = pick(world.awake, at);
      return server === undefined ? undefined : world.redeem(server, who, much + 1);
    }),
);

const allot = fc.tuple(index, payer, fc.nat(150)).map(
  ([at, who, much]) =>
    new Step(`allot(${at}, ${who}, ${much})`, (world) => {
      const server = pick(world.awake, at);
      return server === undefined ? undefined : world.allot(server, who, much);
    }),
);

const setBudget = fc.tuple(index, payer, fc.option(fc.nat(150))).map(
  ([at, who, much]) =>
    new Step(`setBudget(${at}, ${who}, ${much})`, (world) => {
      const server = pick(world.awake, at);
      return server === undefined ? undefined : world.setBudget(server, who, much);
    }),
);

const setGroupBudget = fc.tuple(index, fc.option(fc.nat(150))).map(
  ([at, much]) =>
    new Step(`setGroupBudget(${at}, ${much})`, (world) => {
      const server = pick(world.awake, at);
      return server === undefined ? undefined : world.setGroupBudget(server, much);
    }),
);

const batch = fc.tuple(index, payer, amount, fc.constantFrom(0, 0.3, 1, 2)).map(
  ([at, who, much, part]) =>
    new Step(`batch(${at}, ${who}, ${much}, ${part})`, (world) => {
      const server = pick(world.awake, at);
      return server === undefined ? undefined : world.runBatch(server, who, much, Math.ceil(much * part));
    }),
);

const pass = fc
  .constantFrom(1, 5, 20, 61)
  .map((seconds) => new Step(`pass(${seconds})`, (world) => world.pass(seconds)));
const nextDay = fc.constant(new Step("nextDay", (world) => world.nextDay()));
const deliverLate = fc.constant(new Step("deliverLate", (world) => world.deliverLate()));

/** Sequences of everything that callers, administrators, networks and operators do to the ledger. */
export const ledgerCommands = fc.commands<Nothing, World, boolean>(
  [
    reserve,
    reserve,
    reserveMany,
    settle,
    settle,
    settleMany,
    settleAgain,
    settleInDoubt,
    settleInDoubt,
    reserveInDoubt,
    release,
    checkpointInDoubt,
    passInDoubt,
    passInDoubt,
    grantInDoubt,
    checkpoint,
    checkpoint,
    kill,
    start,
    freeze,
    wake,
    grant,
    redeem,
    allot,
    setBudget,
    setGroupBudget,
    batch,
    pass,
    nextDay,
    deliverLate,
  ],
  { maxCommands: 40, size: "max" },
);
