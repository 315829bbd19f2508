import { envelopeSchema } from "@one-api/contract/envelope";
import { type BrowserContext, expect, test } from "@playwright/test";
import { logInToGateway } from "../gateway/gateway-client.ts";
import { type Gateway, startGateway } from "../gateway/start-gateway.ts";

let gateway: Gateway;

test.beforeAll(async () => {
  gateway = await startGateway();
});
test.afterAll(() => gateway.stop());

/** Opens a page with an empty cache and returns the addresses it asked for and the bytes that came, headers included. */
async function measure(context: BrowserContext, path: string, heading: string) {
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Network.enable");
  const addresses: string[] = [];
  let bytes = 0;
  client.on("Network.requestWillBeSent", ({ request }) => void addresses.push(request.url));
  client.on("Network.loadingFinished", ({ encodedDataLength }) => void (bytes += encodedDataLength));
  await page.goto(gateway.url + path);
  await page.getByRole("heading", { name: heading }).first().waitFor();
  await page.waitForLoadState("networkidle");
  await page.close();
  return { addresses: [...new Set(addresses.filter((address) => address.startsWith("http")))], bytes };
}

test("the login page comes in a few compressed files", async ({ browser }) => {
  const context = await browser.newContext();
  const { addresses, bytes } = await measure(context, "/login", "Log in");
  expect(addresses.length, addresses.join(" ")).toBeLessThanOrEqual(12);
  expect(bytes).toBeLessThanOrEqual(260_000);
  await context.close();
});

test("the channels come in a few compressed files", async ({ browser }) => {
  const root = await logInToGateway(gateway.url);
  await root.send("POST", "/api/channel/", { type: 1, name: "Stub", key: "sk-stub", models: "gpt-4o-mini" });
  const context = await browser.newContext();
  await context.request.post(`${gateway.url}/api/user/login`, { data: { username: "root", password: "123456" } });
  const self = await context.request.get(`${gateway.url}/api/user/self`);
  const { data } = envelopeSchema.parse(await self.json());
  await context.addInitScript((user) => localStorage.setItem("user", user), JSON.stringify(data));
  const { addresses, bytes } = await measure(context, "/channel", "Channel");
  expect(addresses.length, addresses.join(" ")).toBeLessThanOrEqual(26);
  expect(bytes).toBeLessThanOrEqual(365_000);
  await context.close();
});
