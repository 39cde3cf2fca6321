import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { ActionForm, SubmitButton } from "./action-form.tsx";

test.each([
  ["the page itself", "/contacto?desde=pie", true],
  ["the form that signs out", "/salir", false],
])("a form without an action is busy during a submit to %s: %s", (_to, address, busy) => {
  const element = (
    <ActionForm>
      <SubmitButton busyText="Enviando…">Enviar</SubmitButton>
    </ActionForm>
  );
  const action = () => new Promise(() => {});
  const routes = [
    { path: "/contacto", element, action },
    { path: "/salir", action },
  ];
  const router = createMemoryRouter(routes, { initialEntries: ["/contacto?desde=pie"] });
  void router.navigate(address, { formMethod: "post", formData: new FormData() });
  const html = renderToStaticMarkup(<RouterProvider router={router} />);
  expect(html.includes("Enviando…")).toBe(busy);
});
