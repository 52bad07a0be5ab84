import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as cuda from "cuda-driver";
import { memberOf, setMember } from "../../generated/dist/runtime/unions.js";
import * as tables from "../../generated/dist/unions.js";
import { driverUnions } from "../../generator/libraries/driver.fields.ts";
import { newestDocument } from "../standin/library.ts";

const id = cuda.CUlaunchAttributeID;
const { launchAttribute } = cuda;

describe("launchAttribute", () => {
  it("sets the member that the id selects: number, enum, handle, record", () => {
    const priority = launchAttribute(id.CU_LAUNCH_ATTRIBUTE_PRIORITY, -5);
    assert.ok(priority instanceof cuda.CUlaunchAttribute);
    assert.deepEqual([priority.id, priority.value.priority], [id.CU_LAUNCH_ATTRIBUTE_PRIORITY, -5]);
    const { x, y, z } = launchAttribute(id.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, { x: 2, y: 1, z: 3 }).value
      .clusterDim;
    assert.deepEqual([x, y, z], [2, 1, 3]);
    const event = 7n as cuda.CUevent;
    const completion = new cuda.CUlaunchAttributeValue_launchCompletionEvent({ event, flags: 1 });
    const attribute = launchAttribute(id.CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, completion);
    assert.equal(attribute.value.launchCompletionEvent.event, event);
    const policy = cuda.CUsynchronizationPolicy.CU_SYNC_POLICY_SPIN;
    assert.equal(launchAttribute(id.CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY, policy).value.syncPolicy, policy);
  });

  it("takes the whole union where the id selects no member known here, and where it does", () => {
    assert.equal(launchAttribute(id.CU_LAUNCH_ATTRIBUTE_IGNORE, {}).value.priority, 0);
    const unknown = launchAttribute(99 as typeof id.CU_LAUNCH_ATTRIBUTE_IGNORE, { cooperative: 1 });
    assert.deepEqual([unknown.id, unknown.value.cooperative], [99, 1]);
    const whole = new cuda.CUlaunchAttributeValue({ priority: 3 });
    assert.equal(launchAttribute(id.CU_LAUNCH_ATTRIBUTE_PRIORITY, whole).value.priority, 3);
  });

  it("refuses values of another type or out of range, by name", () => {
    // biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses
    const make = (attribute: number, value: unknown) => () => launchAttribute(attribute as any, value as never);
    const type = { name: "TypeError", message: /^launchAttribute: value / };
    for (const value of ["1", null, undefined, {}, [1], 1n, true]) {
      assert.throws(make(id.CU_LAUNCH_ATTRIBUTE_PRIORITY, value), type, String(value));
    }
    for (const value of [1, null, undefined, "x", { w: 1 }, new cuda.CUlaunchMemSyncDomainMap()]) {
      assert.throws(make(id.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, value), type, String(value));
    }
    for (const value of [1, null, undefined, { w: 1 }]) assert.throws(make(id.CU_LAUNCH_ATTRIBUTE_IGNORE, value), type);
    assert.throws(make(id.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, 3), {
      name: "TypeError",
      message:
        "launchAttribute: value does not fit: CUlaunchAttributeValue: clusterDim must be a CUlaunchAttributeValue_clusterDim or its fields, not 3",
    });
    const range = { name: "RangeError", message: /^launchAttribute: value / };
    assert.throws(make(id.CU_LAUNCH_ATTRIBUTE_PRIORITY, 2 ** 31), range);
    assert.throws(make(id.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, { x: -1 }), range);
  });
});

describe("members of unions", () => {
  it("are read as values: records are copies", () => {
    const union = new cuda.CUlaunchAttributeValue({ clusterDim: { x: 4, y: 5, z: 6 } });
    const table = tables.CUlaunchAttributeValue;
    const copy = memberOf(table, id.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, union);
    union.clusterDim.x = 9;
    assert.ok(copy instanceof cuda.CUlaunchAttributeValue_clusterDim);
    assert.deepEqual([copy.x, copy.y, copy.z], [4, 5, 6]);
    assert.equal(memberOf(table, id.CU_LAUNCH_ATTRIBUTE_PRIORITY, union), 9);
    const whole = memberOf(table, 99, union);
    assert.ok(whole instanceof cuda.CUlaunchAttributeValue && whole !== union);
    setMember(table, id.CU_LAUNCH_ATTRIBUTE_PRIORITY, union, 2, "f", "p");
    assert.deepEqual([union.priority, whole.priority], [2, 9]);
  });

  it("are known for every value but those that select none", () => {
    const document = newestDocument();
    const selectNone = [
      "CU_LAUNCH_ATTRIBUTE_IGNORE",
      "CU_GRAPH_NODE_TYPE_EMPTY",
      "CU_GRAPH_NODE_TYPE_RESERVED_16",
      /* Has no member in the union. */
      "CU_GRAPH_NODE_TYPE_EXTERNAL_ENGINE",
    ];
    const unknown = driverUnions.flatMap(({ union, by, members }) => {
      if (!document.records.some(({ name }) => name === union)) return [];
      const all = document.enums.find(({ name }) => name === by)?.members ?? [];
      return all.filter(({ name }) => !(name in members)).map(({ name }) => name);
    });
    assert.deepEqual(unknown, selectNone);
  });
});
