import { useEffect, useRef, useState } from "react";
import { Form } from "react-router";
import { useFetched } from "#app/lib/fetched.ts";
import { Button } from "#app/ui/button.tsx";
import { HiddenFields } from "#app/ui/filter-select.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { TitleView } from "#shared/search.ts";
import "./search.css";

/** Time from the last key to the request of suggestions, in milliseconds. */
const PAUSE_MS = 250;

export function SearchForm({ q, keep }: { q: string; keep: Readonly<Record<string, string | null>> }) {
  const [typed, setTyped] = useState("");
  const enough = typed.trim().length > 1;
  const suggestions = useFetched<TitleView[]>(
    enough ? `/api/search/suggestions?${new URLSearchParams({ q: typed })}` : null,
    { pauseMs: PAUSE_MS },
  );
  const input = useRef<HTMLInputElement>(null);
  const shown = useRef(q);
  // Shows the words of the results after Back. Not a key: a remounted field would lose the focus.
  useEffect(() => {
    if (input.current && shown.current !== q) input.current.value = q;
    shown.current = q;
  }, [q]);
  return (
    <Form action="/buscar" role="search" aria-label="Buscar consultas" className="search-bar">
      <Icon name="search" />
      <HiddenFields fields={keep} />
      <input
        ref={input}
        name="q"
        type="search"
        aria-label="¿Qué te pasa?"
        placeholder="No puedo dormir"
        defaultValue={q}
        maxLength={LIMITS.search.characters}
        list="sugerencias"
        autoComplete="off"
        enterKeyHint="search"
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
      <datalist id="sugerencias">
        {suggestions?.map(({ id, title }) => (
          <option key={id} value={title} />
        ))}
      </datalist>
      <Button type="submit" small>
        Buscar
      </Button>
    </Form>
  );
}
