/** Logo: a couch whose back is a speech bubble. It inherits the text colour. CSS sets its size. */
export function Logo() {
  return (
    <svg
      viewBox="0 0 48 42"
      fill="none"
      stroke="currentColor"
      strokeWidth="2.6"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d="M11 20.5V13a8.5 8.5 0 0 1 8.5-8.5h9A8.5 8.5 0 0 1 37 13v7.5" />
      <path d="M13.5 27.5v-2.6a4.6 4.6 0 0 0-9.2 0V33a3 3 0 0 0 3 3H8v4.5l6-4.5h26.7a3 3 0 0 0 3-3v-8.1a4.6 4.6 0 0 0-9.2 0v2.6z" />
      <path d="M38.5 36v3.6" />
      <path d="M18.5 17h.01M24 17h.01M29.5 17h.01" strokeWidth="3.6" />
    </svg>
  );
}
