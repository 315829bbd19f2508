import assert from "node:assert/strict";
import { it } from "node:test";
import { startMailServer } from "./start-mail-server.ts";

it("does not wait for ever for a mail that never comes, and says what came instead", async () => {
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
