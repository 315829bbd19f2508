// Preloaded into programs that a script starts: when the script is gone without a word (killed), the program ends as well.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
