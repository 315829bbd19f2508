const THOUSAND = 1_000;
const KIBI = 1_024;
const MILLION = 1_000_000;

/** Returns a limit of tokens as providers write it: 128K, 8K for 8,191 and 8,192, 1M for 1,047,576. */
export function formatTokenLimit(tokens: number): string {
  if (tokens >= MILLION) return `${Math.floor(tokens / (MILLION / 10)) / 10}M`;
  if (tokens < THOUSAND) return String(tokens);
  // One below a power of two is the power.
  const isBinary = tokens % THOUSAND !== 0 && (tokens + 1) % KIBI <= 1;
  return `${Math.round(tokens / (isBinary ? KIBI : THOUSAND))}K`;
}
