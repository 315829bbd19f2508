import type { Exchange } from "./exchange.ts";

/** Sends an HTML page, as an intermediary between caller and provider does. */
export function sendPage(exchange: Exchange, status: number, title: string): void {
  const page = `<!doctype html>\r\n<html><head><title>${title}</title></head><body><h1>${title}</h1></body></html>\r\n`;
  exchange.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "content-length": Buffer.byteLength(page),
  });
  exchange.end(page);
}
