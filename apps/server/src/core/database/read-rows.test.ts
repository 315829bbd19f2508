import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { rowsReader } from "./read-rows.ts";

describe("rows in a text", () => {
  const read = rowsReader<readonly [id: number, name: string, ...sums: number[]]>(["number", "string", "number"]);

  test("are read as they were written", () => {
    assert.deepEqual(read('[[1,"a",2],[3,"",0]]'), [
      [1, "a", 2],
      [3, "", 0],
    ]);
    assert.deepEqual(read("[]"), []);
  });

  test("of another kind are an error, not a wrong sum", () => {
    for (const text of ['{"1":1}', "[1]", '[[1,"a"]]', '[[1,"a",2,3]]', '[["1","a",2]]', "[[1,null,2]]"])
      assert.throws(() => read(text), /no list of rows/, text);
  });
});
