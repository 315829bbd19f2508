export { registerViewCalls } from "./view.routes.ts";
