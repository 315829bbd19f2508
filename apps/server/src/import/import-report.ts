import { IMPORTED_NOUNS, type ImportedNoun, type ImportFindings } from "./import-findings.ts";
import { mixesWeights } from "./plan-channels.ts";
import type { ImportPlan } from "./plan-import.ts";

const PLURALS: Readonly<Record<ImportedNoun, string>> = {
  user: "users",
  token: "tokens",
  channel: "channels",
  "redemption code": "redemption codes",
  setting: "settings",
};

/** What an import says at its end, line by line: how much came over, what did not and why, what is other than it was, and what to do next. */
export function reportImport(plan: ImportPlan, isDryRun: boolean): string[] {
  const { findings } = plan;
  return [
    isDryRun
      ? `Read from ${plan.product}; nothing was written, as this is a dry run. An import would bring over:`
      : `Brought over from ${plan.product}:`,
    "",
    ...tableOf(plan),
    ...listed("What stays behind, and why:", findings.leftOut),
    ...listed("What is other than it was:", findings.changed),
    "",
    ...nextSteps(plan, isDryRun),
  ];
}

function tableOf(plan: ImportPlan): string[] {
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
  return [["", "brought over", "left behind", "deleted there"], ...rows].map(
    ([name = "", ...numbers]) => `  ${name.padEnd(18)}${numbers.map((number) => number.padStart(14)).join("")}`,
  );
}

function listed(title: string, found: ImportFindings["leftOut"]): string[] {
  if (found.length === 0) return [];
  return ["", title, ...found.map(({ noun, name, text }) => `  ${noun} ${name}: ${text}`)];
}

function nextSteps(plan: ImportPlan, isDryRun: boolean): string[] {
  if (isDryRun) return ["Run it again without --dry-run to do it. The old database is only read."];
  const root = plan.users.get(plan.rootId)?.username ?? "";
  return [
    "What to do next:",
    `  1. npm start, and log in as ${root} with the password of the old server.`,
    "  2. Test the channels, and compare the page of prices with what you charged.",
    "  3. Stop the old server, and let clients come here: their keys are the same.",
    ...(mixesWeights(plan.channels)
      ? ["  Channels of weight 0 get nothing beside channels with a weight: look over the weights."]
      : []),
    "The log and system access tokens stay in the old database; keep it. Keep a copy of secret.key too: without it the keys cannot be read.",
  ];
}
