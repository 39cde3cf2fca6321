/** A page of prose; `scripts/vite-prose.ts` makes the component. */
declare module "*.md" {
  const Prose: () => React.ReactNode;
  export default Prose;
}
