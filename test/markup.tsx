import type { ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";

/** Renders a part of a page as the server does. */
export const markup = (element: ReactNode): string =>
  renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: "*", element }])} />);

/** Returns the text of HTML without its tags. */
export const wordsOf = (html: string): string => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
