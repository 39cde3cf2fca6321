import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import { ActionForm, SubmitButton, useForm } from "./action-form.tsx";

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

const REFUSED = {
  actionError: { code: "invalid_input", fields: { title: "Escribe un título." } },
  typed: { title: "¿" },
};

const TitleOf = ({ response }: { response: unknown }) => {
  const form = useForm(response, { first: REFUSED });
  return <p>{`${form.errors.title} ${form.typed?.title}`}</p>;
};

test.each([
  ["the response without JavaScript before the fetcher has one", undefined, "<p>Escribe un título. ¿</p>"],
  ["nothing of it after the fetcher has succeeded", { done: true }, "<p>undefined undefined</p>"],
])("a form with a fetcher shows %s", (_what, response, html) => {
  const router = createMemoryRouter([{ path: "/", element: <TitleOf response={response} /> }]);
  expect(renderToStaticMarkup(<RouterProvider router={router} />)).toBe(html);
});
