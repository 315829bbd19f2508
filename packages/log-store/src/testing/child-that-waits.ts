import type { FromChild, ToChild } from "../child/messages.ts";

// Answers a question about what is before 0 with the number of cancelled questions, and no others.
const send = (message: FromChild): void => void process.send?.(message);
let cancelled = 0;
process.once("disconnect", () => process.exit());
process.on("message", (message: ToChild) => {
  if (message.kind === "start") send({ kind: "ready" });
  else if (message.kind === "cancel") cancelled += 1;
  else if (message.question.kind === "old-entries" && message.question.before === 0)
    send({ kind: "answer", id: message.id, answered: { answer: cancelled, isComplete: true } });
});
