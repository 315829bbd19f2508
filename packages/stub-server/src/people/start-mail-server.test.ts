import assert from "node:assert/strict";
import { it } from "node:test";
import { startMailServer } from "./start-mail-server.ts";

it("rejects after a time limit for a mail, and lists the received mails", async () => {
  const mailServer = await startMailServer(0, 1);
  try {
    await assert.rejects(
      mailServer.nextTo("nobody@example.com", 2, /code/),
      /No mail to nobody@example\.com came after 2 mails that matches \/code\/\. All that came: none\./,
    );
  } finally {
    await mailServer.close();
  }
});
