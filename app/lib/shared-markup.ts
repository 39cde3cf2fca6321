import { createContext, type ReactElement, type ReactNode, useContext } from "react";

/** Renders elements once per key. */
export const SharedMarkup = createContext<((key: string, children: ReactElement) => string) | null>(null);

/**
 * Returns the props that give an element its children. The server reuses their markup for all viewers with the same
 * key.
 *
 * The cards take a third of the feed's render time, and most requests show the same ones.
 * @param key all values on which the children depend, except constants; false if their markup cannot be reused, as in
 * browsers
 * @param children elements without hooks that read a context, such as the router's links
 */
export function useSharedMarkup(
  key: string | false,
  children: ReactElement,
): { children: ReactNode } | { dangerouslySetInnerHTML: { __html: string } } {
  if (!import.meta.env.SSR) return { children };
  // biome-ignore lint/correctness/useHookAtTopLevel: the condition is the same for each render
  const render = useContext(SharedMarkup);
  return render && key ? { dangerouslySetInnerHTML: { __html: render(key, children) } } : { children };
}
