/** Marks of browsers in the user agent. The first match counts: most browsers also carry the names of others. */
const BROWSERS = [
  [/\bEdg(?:e|A|iOS)?\//, "Microsoft Edge"],
  [/\b(?:OPR|OPT|OPiOS)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bVersion\/.*\bSafari\//, "Safari"],
] as const;

/** Marks of systems in the user agent. The first match counts. */
const SYSTEMS = [
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bCrOS\b/, "Chrome OS"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
] as const;

/** Returns a browser as people call it, for example "Chrome · macOS"; the first word of the user agent where that is none, as of a script. */
export function browserName(userAgent: string): string {
  const names = [BROWSERS, SYSTEMS].flatMap((known) => known.find(([mark]) => mark.test(userAgent))?.[1] ?? []);
  return names.length === 0 ? (userAgent.split(/[\s/]/)[0] ?? "") : names.join(" · ");
}
