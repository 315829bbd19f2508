export { countPrompt } from "./count-prompt.ts";
export { moderatePrompt } from "./moderate-prompt.ts";
export { createProbeChannel } from "./probe-channel.ts";
