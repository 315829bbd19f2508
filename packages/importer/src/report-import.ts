import { UNPRINTABLE } from "@one-api/contract/unprintable";
import { IMPORTED_NOUNS, type ImportedNoun, type ImportFindings } from "./import-findings.ts";
import { mixesWeights } from "./plan-channels.ts";
import type { ImportPlan } from "./plan-import.ts";
import type { LogTally } from "./plan-log.ts";
import type { OldServer } from "./old-server.ts";
import type { MoneyReport } from "./money/report-money.ts";

const PLURALS: Readonly<Record<ImportedNoun, string>> = {
  user: "users",
  token: "tokens",
  channel: "channels",
  "redemption code": "redemption codes",
  setting: "settings",
};

interface Imported {
  readonly plan: ImportPlan;
  readonly log: LogTally;
  readonly money: MoneyReport;
  readonly unread: OldServer["unread"];
}

/** Returns the report: counts, rows that were not imported, changed rows, differences in money, and the next steps. */
export function reportImport({ plan, log, money, unread }: Imported, isDryRun: boolean): string[] {
  const { findings } = plan;
  return [
    isDryRun
      ? `Read from ${plan.product}; nothing was written, as this is a dry run. An import would bring over:`
      : `Brought over from ${plan.product}:`,
    "",
    ...tableOf(plan, log),
    ...listed("What stays behind, and why:", [
      ...findings.leftOut,
      ...skippedEntries(log),
      ...unread.map(({ kind, name, rows }) => ({
        noun: kind,
        name: name.replaceAll(UNPRINTABLE, " "),
        text: `${rows === 1 ? "1 row has values" : `${rows} rows have values`} that have no place here`,
      })),
    ]),
    ...listed("What is other than it was:", findings.changed),
    "",
    ...money.lines,
    "",
    ...nextSteps(plan, isDryRun),
  ];
}

/** Skipped entries of the log are too many to be listed. */
function skippedEntries({ withoutUser, otherKinds }: LogTally): Line[] {
  const skipped = [
    [withoutUser, "their users do not come over"],
    [otherKinds, "there are no entries of their kinds here"],
  ] as const;
  return skipped.flatMap(([count, text]) => (count === 0 ? [] : [{ noun: "log", name: `(${count} entries)`, text }]));
}

function tableOf(plan: ImportPlan, log: LogTally): string[] {
  const counts: Readonly<Record<ImportedNoun, number>> = {
    user: plan.users.size,
    token: plan.tokens.length,
    channel: plan.channels.length,
    "redemption code": plan.redemptions.length,
    setting: plan.settings.size,
  };
  const { leftOut } = plan.findings;
  const rows = IMPORTED_NOUNS.map((noun) => [
    PLURALS[noun],
    String(counts[noun]),
    String(leftOut.filter((finding) => finding.noun === noun).length),
    String(plan.findings.deletedOf(noun)),
  ]);
  const entries = ["log entries", String(log.brought), String(log.withoutUser + log.otherKinds), "0"];
  return [["", "brought over", "left behind", "deleted there"], ...rows, entries].map(
    ([name = "", ...numbers]) => `  ${name.padEnd(18)}${numbers.map((number) => number.padStart(14)).join("")}`,
  );
}

type Line = Omit<ImportFindings["leftOut"][number], "noun"> & { readonly noun: string };

function listed(title: string, found: readonly Line[]): string[] {
  if (found.length === 0) return [];
  return ["", title, ...found.map(({ noun, name, text }) => `  ${noun} ${name}: ${text}`)];
}

function nextSteps(plan: ImportPlan, isDryRun: boolean): string[] {
  if (isDryRun) return ["Run it again without --dry-run to do it. The old database is only read."];
  const root = plan.users.get(plan.rootId)?.username ?? "";
  return [
    "What to do next:",
    `  1. npm start, and log in as ${root} with the password of the old server.`,
    "  2. Test the channels. Set prices that differ, and check them with npm run import -- --compare and the same address.",
    "  3. Stop the old server, and let clients come here: their keys are the same.",
    ...(mixesWeights(plan.channels)
      ? ["  Channels of weight 0 get nothing beside channels with a weight: look over the weights."]
      : []),
    "System access tokens stay in the old database; keep it. Keep a copy of secret.key too: without it the keys cannot be read.",
  ];
}
