import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";

export function PageAnnouncer() {
  const { pathname, search } = useLocation();
  const path = pathname + search;
  const announced = useRef(path);
  const [shown, setShown] = useState({ path, title: "" });
  useEffect(() => {
    if (announced.current === path) return;
    announced.current = path;
    setShown({ path, title: document.title });
  }, [path]);
  return (
    <p className="visually-hidden" aria-live="polite">
      {/* A new element announces the same title again, for example after another order. */}
      <span key={shown.path}>{shown.title}</span>
    </p>
  );
}
