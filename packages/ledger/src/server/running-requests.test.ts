import assert from "node:assert/strict";
import { describe, it } from "node:test";

import { RunningRequests } from "./running-requests.ts";

describe("running requests", () => {
  it("finds each of many requests until it has ended, in any order", () => {
    const requests = new RunningRequests<number>();
    const ids = Array.from({ length: 6_000 }, (_, index) => `request-${index.toString(36).padStart(6, "0")}`);
    for (const [index, id] of ids.entries()) requests.set(id, index);
    assert.equal(requests.size, ids.length);
    assert.ok(ids.every((id, index) => requests.get(id) === index && requests.has(id)));
    const [ended, open] = [ids.filter((_, index) => index % 3 !== 0), ids.filter((_, index) => index % 3 === 0)];
    for (const id of ended) requests.delete(id);
    assert.equal(requests.size, open.length);
    assert.ok(ended.every((id) => requests.get(id) === undefined && !requests.has(id)));
    assert.ok(open.every((id) => requests.get(id) === ids.indexOf(id)));
    for (const id of open.toReversed()) requests.delete(id);
    assert.equal(requests.size, 0);
    assert.ok(open.every((id) => !requests.has(id)));
  });

  it("tells ids apart that end alike, and takes the shortest", () => {
    const requests = new RunningRequests<string>();
    const ids = ["", "a", "abcd", "1abcd", "2abcd", "3abcd"];
    for (const id of ids) requests.set(id, `of ${id}`);
    for (const gone of ["2abcd", "3abcd", "abcd"]) {
      requests.delete(gone);
      assert.equal(requests.get(gone), undefined);
    }
    assert.deepEqual(
      ids.map((id) => requests.get(id)),
      ["of ", "of a", undefined, "of 1abcd", undefined, undefined],
    );
  });

  it("counts a request once that is set twice or ends twice", () => {
    const requests = new RunningRequests<string>();
    requests.set("0123", "first");
    requests.set("0123", "then");
    assert.deepEqual([requests.size, requests.get("0123")], [1, "then"]);
    requests.delete("0123");
    requests.delete("0123");
    requests.delete("4567");
    assert.equal(requests.size, 0);
  });
});
