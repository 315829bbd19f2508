import { existsSync, writeFileSync } from "node:fs";
import type { FromChild, ToChild } from "../child/messages.ts";

// Hangs at its first question, and answers in its second life: the replica's file tells them apart.
const send = (message: FromChild): void => void process.send?.(message);
let file = "";
let isFirst = true;
process.once("disconnect", () => process.exit());
process.on("message", (message: ToChild) => {
  if (message.kind === "start") {
    ({ file } = message.start);
    isFirst = !existsSync(file);
    send({ kind: "ready" });
  } else if (message.kind === "ask") {
    if (isFirst) {
      writeFileSync(file, "");
      for (;;);
    }
    send({ kind: "answer", id: message.id, answered: { answer: 7, isComplete: true } });
  }
});
