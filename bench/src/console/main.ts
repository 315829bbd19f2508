import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { envelopeSchema } from "@one-api/contract/envelope";
import { type BrowserContext, chromium, type Page } from "@playwright/test";
import { openPages, PAGES } from "./open-pages.ts";
import { PRESSES } from "./presses.ts";

// Times of the console in a browser whose CPU is slowed down, against a running gateway with data:
// PORT=3100 npm run demo, then node bench/src/console/main.ts --url http://localhost:3100
const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://localhost:3000" },
    username: { type: "string", default: "root" },
    password: { type: "string", default: "123456" },
    /** How many times slower the CPU is. */
    slower: { type: "string", default: "4" },
    times: { type: "string", default: "5" },
    width: { type: "string", default: "1440" },
    /** Parts of the names of what is measured, separated by commas. */
    only: { type: "string", default: "" },
  },
});
const times = Number(values.times);
const isWanted = (name: string) => values.only.split(",").some((part) => name.includes(part));

const browser = await chromium.launch({
  executablePath: process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  print(`load ${(loadavg()[0] ?? 0).toFixed(1)}, CPU ${values.slower} times slower, ${times} times; ms`);
  await measurePages();
  await measurePresses();
} finally {
  await browser.close();
}

/** A browser profile with an empty cache, logged in. */
async function newContext(): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: Number(values.width), height: 900 }, locale: "en-US" });
  const { username, password } = values;
  const login = await context.request.post(`${values.url}/api/user/login`, { data: { username, password } });
  if (!login.ok()) throw new Error(`The login failed with status ${login.status()}.`);
  const self = await context.request.get(`${values.url}/api/user/self`);
  const { data } = envelopeSchema.parse(await self.json());
  await context.addInitScript((user) => localStorage.setItem("user", user), JSON.stringify(data));
  return context;
}

async function slowDown(page: Page): Promise<void> {
  const client = await page.context().newCDPSession(page);
  await client.send("Emulation.setCPUThrottlingRate", { rate: Number(values.slower) });
}

async function measurePages(): Promise<void> {
  const wanted = PAGES.filter(({ name }) => isWanted(name));
  if (wanted.length === 0) return;
  print(`${"page until its content stands".padEnd(44)} median  worst   with a full cache`);
  for (const opened of wanted) {
    const [first, again]: [number[], number[]] = [[], []];
    for (let time = 0; time < times; time += 1) {
      const context = await newContext();
      const visits = await openPages(context, values.url, opened, slowDown);
      first.push(visits.first);
      again.push(visits.again);
      await context.close();
    }
    print(`${opened.name.padEnd(44)} ${figures(first)}  ${figures(again)}`);
  }
}

async function measurePresses(): Promise<void> {
  const wanted = PRESSES.filter(({ name }) => isWanted(name));
  if (wanted.length === 0) return;
  print(`${"press".padEnd(44)} median  worst   main thread   until shown`);
  for (const press of wanted) {
    const context = await newContext();
    const page = await context.newPage();
    const paints: number[] = [];
    const shown: number[] = [];
    const cpu: number[] = [];
    await press.measure(page, values.url, times, slowDown, (result) => {
      paints.push(result.paintMs);
      cpu.push(result.cpuMs);
      if (result.shownMs !== undefined) shown.push(result.shownMs);
    });
    await context.close();
    print(`${press.name.padEnd(44)} ${figures(paints)}  ${figures(cpu)}  ${shown.length === 0 ? "" : figures(shown)}`);
  }
}

/** Median and worst. */
function figures(all: readonly number[]): string {
  const sorted = all.toSorted((left, right) => left - right);
  return [sorted[Math.floor(sorted.length / 2)] ?? 0, sorted.at(-1) ?? 0]
    .map((ms) => ms.toFixed(0).padStart(6))
    .join(" ");
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
