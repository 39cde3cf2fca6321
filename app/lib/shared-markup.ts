import { createContext, type ReactElement, type ReactNode, useContext } from "react";

/** Renders elements once per key. */
export const SharedMarkup = createContext<((key: string, children: ReactElement) => string) | null>(null);

/**
 * The server reuses the markup of the children for all viewers with the same key: a third of the feed's render time.
 * @param key all values on which the children depend, except constants; false if their markup cannot be reused
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
