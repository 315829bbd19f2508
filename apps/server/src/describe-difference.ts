import type { BalanceDifference } from "@one-api/ledger/check-balances";

const NAMES = { user: "User", token: "Token", budget: "Budget window" } as const;

export function describeDifference({ account, id, what, stored, expected }: BalanceDifference): string {
  if (account === "checkpoint") return `A checkpoint of user ${id} belongs to server ${stored}, which does not exist.`;
  if (account !== "share") return `${NAMES[account]} ${id}: ${what} is ${stored}, the ledger adds up to ${expected}.`;
  return what === "owner"
    ? `A share of account ${id} belongs to owner ${stored}, which does not exist.`
    : `A share of account ${id} has ${stored}, and charges of ${expected} are to be subtracted from it.`;
}
