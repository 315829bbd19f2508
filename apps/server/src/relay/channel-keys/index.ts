export { connectWithKey } from "./choose-key.ts";
