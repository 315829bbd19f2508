// Preloaded into programs that a script starts: ends the program when the script was killed.
process.once("disconnect", () => process.kill(process.pid, "SIGTERM"));
process.channel?.unref();
