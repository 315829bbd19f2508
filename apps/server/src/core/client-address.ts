/** The address in its plain form: IPv4 written as IPv6 (`::ffff:192.0.2.1`) becomes IPv4, a zone id is dropped. */
export function plainAddress(address: string): string {
  const withoutZone = address.split("%")[0] ?? address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(withoutZone);
  return mapped?.[1] ?? withoutZone;
}
