export { registerGroupCalls } from "./group.routes.ts";
