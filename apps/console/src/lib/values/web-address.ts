/** Returns the address when it may be opened from here: http or https. */
export function webAddress(text: string): string | undefined {
  const address = URL.parse(text);
  return address !== null && /^https?:$/.test(address.protocol) ? address.href : undefined;
}
