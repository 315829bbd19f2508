export { countPrompt } from "./count-prompt.ts";
export { moderatePrompt } from "./moderate-prompt.ts";
export { cheapestModel, createProbeChannel } from "./probe-channel.ts";
