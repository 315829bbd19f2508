import type { LikelyToken, WrittenToken } from "../../neutral/logprobs.ts";
import { isRecord, type JsonRecord, listOf, numberOf, recordOf, textOf } from "../../shared/json-fields.ts";

/** Source: https://ai.google.dev/api/generate-content#LogprobsResult */
export function readLogprobs(candidate: JsonRecord): readonly WrittenToken[] | undefined {
  const { chosenCandidates, topCandidates } = recordOf(candidate.logprobsResult);
  const chosen = listOf(chosenCandidates).filter(isRecord);
  if (chosen.length === 0) return undefined;
  const likeliest = listOf(topCandidates).map((place) => listOf(recordOf(place).candidates).filter(isRecord));
  return chosen.map((token, index) => ({ ...readToken(token), likeliest: (likeliest[index] ?? []).map(readToken) }));
}

function readToken({ token, logProbability }: JsonRecord): LikelyToken {
  return { token: textOf(token), logprob: numberOf(logProbability) ?? 0 };
}

export function writeLogprobs(tokens: readonly WrittenToken[] | undefined): JsonRecord {
  if (tokens === undefined) return {};
  const hasLikeliest = tokens.some(({ likeliest }) => likeliest.length > 0);
  return {
    logprobsResult: {
      chosenCandidates: tokens.map(writeToken),
      ...(hasLikeliest && {
        topCandidates: tokens.map(({ likeliest }) => ({ candidates: likeliest.map(writeToken) })),
      }),
    },
  };
}

function writeToken({ token, logprob }: LikelyToken): JsonRecord {
  return { token, logProbability: logprob };
}
