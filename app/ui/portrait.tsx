import type { ReactNode } from "react";

interface Person {
  skin: string;
  clothes: string;
  /** Behind the shoulders. */
  back?: ReactNode;
  /** Over the face. */
  front: ReactNode;
}

const glasses = (
  <g fill="none" stroke="#2b2320" strokeWidth="1.1">
    <circle cx="20.2" cy="22.8" r="3.1" />
    <circle cx="27.8" cy="22.8" r="3.1" />
    <path d="M23.3 22.6c.5-.4.9-.4 1.4 0" />
  </g>
);

const PEOPLE: Person[] = [
  {
    skin: "#cf9a70",
    clothes: "var(--d-couch)",
    back: <path d="M12.5 40V23a11.5 11.5 0 0 1 23 0v17c-3 1.5-6 0-7-3h-9c-1 3-4 4.5-7 3z" fill="#3b2a22" />,
    front: <path d="M15.5 21c2-6 13-7 17 0 0-8-4-10.5-8.5-10.500S15.5 14 15.5 21z" fill="#3b2a22" />,
  },
  {
    skin: "#b97e55",
    clothes: "var(--d-clay)",
    back: (
      <g fill="#231a17">
        <circle cx="24" cy="10.5" r="5" />
        <path d="M14 22a10 10.5 0 0 1 20 0v3H14z" />
      </g>
    ),
    front: <path d="M15.5 21c4-1 7-3 8.5-6 2 3.5 5 5 8.5 6 0-8-4-10.5-8.5-10.500S15.5 14 15.5 21z" fill="#231a17" />,
  },
  {
    skin: "#e2b48c",
    clothes: "var(--d-leaf)",
    front: (
      <g fill="#7a5137">
        <path d="M15 20c0-8 4-11 9.5-11S34 13 33 20c-2-4-5-5.5-9-5.500S17 16 15 20z" />
        <path d="M15.8 24c1 8 4.5 10.5 8.2 10.500s7.2-2.5 8.2-10.500c-3 3.5-13 3.5-16.4 0z" />
      </g>
    ),
  },
  {
    skin: "#8f5f43",
    clothes: "var(--d-wood)",
    back: <circle cx="24" cy="19" r="12.5" fill="#1d1614" />,
    front: <path d="M16 18c3-4 13-4 16 0 0-5-4-8-8-8s-8 3-8 8z" fill="#1d1614" />,
  },
  {
    skin: "#dcaa83",
    clothes: "var(--d-couch-2)",
    front: (
      <path
        d="M15 21c-1-8 3.5-11.5 9-11.500S34 13 33 21c-1.5-3-2-4.5-4-5.5-4 1.5-9 1-11 .5-1.5 1-2.2 2.5-3 5z"
        fill="#8d8a86"
      />
    ),
  },
  {
    skin: "#e6bd98",
    clothes: "var(--d-clay-2)",
    back: <path d="M12 33V22a12 12 0 0 1 24 0v11c-2 1.5-5 1.2-6-.8H18c-1 2-4 2.3-6 .8z" fill="#8a4a2c" />,
    front: (
      <path
        d="M15.4 20.500c0-7.5 4-10.5 8.6-10.500s8.6 3 8.6 10.500c-3-2.6-5.4-3.4-8.6-3.400s-5.6.8-8.6 3.400z"
        fill="#8a4a2c"
      />
    ),
  },
  {
    skin: "#a06c4b",
    clothes: "var(--d-couch-3)",
    front: (
      <>
        <path
          d="M15.8 24.500c1 7.8 4.5 10 8.2 10s7.2-2.2 8.2-10c-2.6 3-4.6 3.2-8.2 3.200s-5.6-.2-8.2-3.200z"
          fill="#d8d2c8"
        />
        {glasses}
      </>
    ),
  },
  {
    skin: "#c98f66",
    clothes: "var(--d-leaf-2)",
    back: (
      <g fill="#4a3a34">
        <circle cx="15.5" cy="18" r="5" />
        <circle cx="19" cy="12.5" r="5" />
        <circle cx="26" cy="11" r="5.2" />
        <circle cx="32" cy="16" r="5.2" />
        <circle cx="33" cy="23" r="4.6" />
        <circle cx="14.8" cy="24.5" r="4.6" />
        <circle cx="15.5" cy="30" r="3.8" />
        <circle cx="32.5" cy="29.5" r="3.8" />
      </g>
    ),
    front: (
      <>
        <path
          d="M15.6 20c1.5-6 4-8.5 8.4-8.500s7 2.5 8.4 8.500c-2-1.5-3-3.5-4-4.5-2 1.5-4 .5-5.5 1.500s-4 .5-7.3 3z"
          fill="#4a3a34"
        />
        {glasses}
      </>
    ),
  },
];

export type PortraitNumber = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** A drawn head and shoulders for somebody invented; it fills the avatar it is in. Not in drawings.tsx, since few pages need it. */
export function Portrait({ n }: { n: PortraitNumber }) {
  const person = PEOPLE[n - 1];
  if (!person) return null;
  return (
    <svg viewBox="0 0 48 48" aria-hidden="true">
      {person.back}
      <path d="M7 50c0-10 7-14.5 17-14.500S41 40 41 50z" fill={person.clothes} />
      <path d="M20.5 30h7v6.500c-1 1.8-6 1.8-7 0z" fill={person.skin} />
      <ellipse cx="24" cy="22.5" rx="8.5" ry="10.5" fill={person.skin} />
      {person.front}
    </svg>
  );
}
