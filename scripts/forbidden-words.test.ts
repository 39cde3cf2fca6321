import { expect, test } from "vitest";
import { forbiddenWords, wordProblems } from "./forbidden-words.ts";

const GLOSSARY = `# Glossary

| Name | On screen | Meaning | Not |
|---|---|---|---|
| checkout (\`checkouts\`) | a window | A purchase. | checkout attempt, cart |
| consume | — | To use a link once. | *take* |
| visitor | — | Who is not signed in. | |
`;
const problemsOf = (path: string, source: string) => wordProblems(new Map([[path, source]]), GLOSSARY);

test("forbiddenWords returns the last column of the glossary except for words in italics", () => {
  expect(forbiddenWords(GLOSSARY)).toEqual([
    { word: "checkout attempt", instead: "checkout" },
    { word: "cart", instead: "checkout" },
  ]);
});

test.each([
  ["server/a/store.ts", "const cart = 1;"],
  ["server/a/store.ts", "export const openCarts = () => 1;"],
  ["server/a/store.ts", "const one = { cart_id: 1 };"],
  ["server/a/store.ts", "const { checkoutAttempt } = given;"],
  ["server/a/store.ts", "type CheckoutAttempts = string;"],
  ["server/a/store.ts", "// Reads a\n/**\n * checkout\n * attempt.\n */\nconst one = 1;"],
  ["app/a/list.tsx", "export const List = () => <Cart />;"],
  ["app/a/list.css", ".cart-row { color: red; }"],
  ["app/a/list.css", "/* Of the cart. */"],
  ["test/cart.ts", ""],
])("wordProblems reports a forbidden word in %s: %s", (path, source) => {
  const problems = problemsOf(path, source);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toContain(`${path} `);
  expect(problems[0]).toContain('the glossary says "checkout"');
});

test.each([
  ["server/a/store.ts", "const cartography = takeOne();"],
  ["server/a/store.ts", 'const text = "your cart";'],
  ["server/a/store.ts", "// What one has to take."],
  ["docs/cart.md", "cart"],
])("wordProblems accepts in %s: %s", (path, source) => {
  expect(problemsOf(path, source)).toEqual([]);
});

test("wordProblems reports a glossary without the column", () => {
  expect(wordProblems(new Map(), "# Glossary\n")).toHaveLength(1);
});
