import assert from "node:assert/strict";
import { test } from "node:test";
import { readDocumentation } from "../../generator/parse/documentation.ts";
import { read } from "./read.ts";

const facts = (comment: string) => {
  const { params } = readDocumentation(comment);
  return Object.fromEntries(
    Object.entries(params).map(([name, { returned, given, optional }]) => [
      name,
      [returned && "returned", given && "given", optional && "optional"].filter(Boolean).join(" "),
    ]),
  );
};

test("a comment says which parameters are written, read, or may be NULL", () => {
  assert.deepEqual(
    facts(`/**
 * \\brief Does something to \\p a.
 *
 * \\param a - Returned handle
 * \\param b     - Pointer to a place
 *                to store the flags
 * \\param[out] c  Whatever
 * \\param[in] d - where the value is returned
 * \\param[in,out] e - count
 * \\param f - Properties to set
 * \\param g - Parameters, or NULL
 * \\param h - Optional limit
 * \\param i, j - Sizes
 * \\param ::k - May be NULL if l is 0
 *
 * \\return
 * The value of m is returned.
 */`),
    {
      a: "returned",
      b: "returned",
      c: "returned",
      d: "given",
      e: "returned given",
      f: "given",
      g: "optional",
      h: "optional",
      i: "",
      j: "",
      k: "optional",
    },
  );
});

test("the comment directly before a function is its own, and no other", () => {
  const text = `
/** \\param a - Returned value
 *  \\deprecated
 */
int f(int *a);
int g(int *a);
/** \\param a - Returned value */
#define X 1
int h(int *a);
/** \\param a - Returned value */
#if 1
int i(int *a /**< \\param a - not this */);
#endif
enum { A, /** \\param a - Returned value */ B };
int j(int *a);
/* plain */ /** @{ */
int k(int *a); /**< \\param a - Returned value */
int l(int *a);
/** \\param a - Returned value */ /** @} */
int m(int *a);
`;
  const returned = read(text).declarations.flatMap((declaration) =>
    declaration.kind === "function" && declaration.documentation?.params.a?.returned ? declaration.name : [],
  );
  assert.deepEqual(returned, ["f", "i", "m"]);
  const [f] = read(text).declarations;
  assert.equal(f?.kind === "function" && f.documentation?.deprecated, true);
  assert.equal(f?.kind === "function" && f.deprecated, false);
});
