/** A Markdown page. `scripts/vite-prose.ts` compiles it to a component. */
declare module "*.md" {
  const Prose: () => React.ReactNode;
  export default Prose;
}
