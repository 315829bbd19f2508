import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findCircle } from "./refuse-circles.ts";

const script = (fileName: string, imports: string[], moduleCount = 1) => ({ fileName, imports, moduleCount });

describe("scripts of the build that import each other", () => {
  it("are found, with the way around", () => {
    const scripts = [
      script("index", ["page"]),
      script("page", ["dates"]),
      script("dates", ["log"]),
      script("log", ["dates"]),
    ];
    assert.deepEqual(findCircle(scripts), ["dates", "log", "dates"]);
  });

  it("are none where several lead to the same one, or where one in the circle only passes on what others export", () => {
    const shared = [script("index", ["log", "dates"]), script("log", ["dates"]), script("dates", [])];
    assert.deepEqual(findCircle(shared), []);
    assert.deepEqual(findCircle([script("floating", ["sheet"]), script("sheet", ["floating"], 0)]), []);
  });
});
