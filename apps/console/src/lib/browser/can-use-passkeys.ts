/** True where passkeys of this system work: at the address that it is set to have, and in browsers that know them. */
export function canUsePasskeys(serverAddress: string): boolean {
  const { hostname, origin } = window.location;
  const isHere = serverAddress === "" ? hostname === "localhost" : URL.parse(serverAddress)?.origin === origin;
  return isHere && "PublicKeyCredential" in window;
}
