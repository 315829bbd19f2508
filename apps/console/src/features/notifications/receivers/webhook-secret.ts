const BYTES = 32;

/** Returns a random signing secret in the form of the Standard Webhooks specification. */
export function generateWebhookSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(BYTES));
  return `whsec_${btoa(String.fromCodePoint(...bytes))}`;
}
