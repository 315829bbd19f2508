import { expect, test } from "vitest";
import { browserName } from "./browser-name.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const MOBILE = "AppleWebKit/605.1.15 (KHTML, like Gecko)";

test.each([
  ["Chrome · Linux", `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`],
  ["Chrome · Linux", `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} HeadlessChrome/140.0.0.0 Safari/537.36`],
  ["Chrome · Android", `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/140.0.0.0 Mobile Safari/537.36`],
  [
    "Chrome · iOS",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${MOBILE} CriOS/140.0.7339.39 Mobile/15E148 Safari/604.1`,
  ],
  [
    "Microsoft Edge · Windows",
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`,
  ],
  [
    "Opera · macOS",
    `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Chrome/138.0.0.0 Safari/537.36 OPR/122.0.0.0`,
  ],
  [
    "Samsung Internet · Android",
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
  ],
  ["Firefox · Windows", "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:142.0) Gecko/20100101 Firefox/142.0"],
  ["Safari · macOS", `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${MOBILE} Version/18.5 Safari/605.1.15`],
  [
    "Safari · iOS",
    `Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) ${MOBILE} Version/18.5 Mobile/15E148 Safari/604.1`,
  ],
  ["Chrome · Chrome OS", `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/140.0.0.0 Safari/537.36`],
  ["curl", "curl/8.5.0"],
  ["python-requests", "python-requests/2.32.3"],
  ["", ""],
])("%s is how people call %s", (name, userAgent) => expect(browserName(userAgent)).toBe(name));
