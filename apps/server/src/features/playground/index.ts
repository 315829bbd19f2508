export { type ChatFacts, registerPlaygroundCalls } from "./playground.routes.ts";
