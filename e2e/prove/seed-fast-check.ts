import fc from "fast-check";

// Preloaded: properties of this process are checked with the seed of the run, unless a test names its own.
fc.configureGlobal({ seed: Number(process.env["FAST_CHECK_SEED"] ?? 1) });
