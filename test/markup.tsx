import type { ComponentType, ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { AuthProvider } from "#app/lib/auth-context.tsx";

/** Renders a part of a page as the server does for a visitor. */
export function markup(part: ReactNode): string {
  const element = (
    <AuthProvider viewer={null} endsAt={null}>
      {part}
    </AuthProvider>
  );
  return renderToStaticMarkup(<RouterProvider router={createMemoryRouter([{ path: "*", element }])} />);
}

/** Renders a page with the props that the test needs. */
export const pageMarkup = <Props extends object>(Page: ComponentType<Props>, props: object) =>
  markup(<Page {...(props as Props)} />);

export const wordsOf = (html: string): string => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
