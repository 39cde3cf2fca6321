/** Objects on the armchair of small pages, drawn in the coordinates of `Armchair`. */

export const KeyIllustration = () => (
  <g fill="none" stroke="var(--d-wood-2)" strokeWidth="9" strokeLinecap="round">
    <circle cx="96" cy="122" r="14" />
    <path d="M111 122h44M142 122v13M154 122v10" />
  </g>
);

export const PhoneIllustration = () => (
  <g transform="rotate(9 120 110)">
    <rect x="98" y="70" width="44" height="76" rx="9" fill="var(--d-line)" />
    <rect x="103" y="77" width="34" height="60" rx="4" fill="var(--d-paper)" />
    <path d="M111 107h.01M120 107h.01M129 107h.01" stroke="var(--d-clay)" strokeWidth="6.8" strokeLinecap="round" />
  </g>
);

export const LetterIllustration = () => (
  <g transform="rotate(-7 120 118)">
    <rect x="84" y="92" width="72" height="50" rx="6" fill="var(--d-paper)" />
    <path
      d="M86 97l34 24 34-24"
      fill="none"
      stroke="var(--d-clay)"
      strokeWidth="4"
      strokeLinecap="round"
      strokeLinejoin="round"
    />
  </g>
);

export const PadlockIllustration = () => (
  <>
    <path d="M104 106V92a16 16 0 0 1 32 0v14" fill="none" stroke="var(--d-wood-2)" strokeWidth="7" />
    <rect x="92" y="104" width="56" height="42" rx="9" fill="var(--d-clay)" />
    <path d="M120 122h.01" stroke="var(--d-paper)" strokeWidth="11" strokeLinecap="round" />
    <path d="M120 124v9" stroke="var(--d-paper)" strokeWidth="5" strokeLinecap="round" />
  </>
);

export const MessageIllustration = () => (
  <>
    <path
      d="M88 82h64a12 12 0 0 1 12 12v22a12 12 0 0 1-12 12h-46l-20 15v-15a12 12 0 0 1-10-12V94a12 12 0 0 1 12-12z"
      fill="var(--d-paper)"
    />
    <path d="M104 105h.01M120 105h.01M136 105h.01" stroke="var(--d-clay)" strokeWidth="9" strokeLinecap="round" />
  </>
);

export const BoxIllustration = () => (
  <>
    <path d="M82 104h76v40H82z" fill="var(--d-wood-2)" />
    <path d="M82 104l-12-12h38l12 12zM158 104l12-12h-38l-12 12z" fill="var(--d-wood)" />
    <path d="M112 104h16v16h-16z" fill="var(--d-paper)" opacity=".75" />
  </>
);

export const CupIllustration = () => (
  <>
    <path d="M92 102h46v18a20 20 0 0 1-20 20h-6a20 20 0 0 1-20-20z" fill="var(--d-clay)" />
    <path d="M138 108h5a8 8 0 0 1 0 16h-6" fill="none" stroke="var(--d-clay)" strokeWidth="5" />
    <path d="M92 102h46v6H92z" fill="var(--d-clay-2)" />
    <path
      d="M108 94c-5-6 5-10 0-17M122 94c-5-6 5-10 0-17"
      fill="none"
      stroke="var(--d-clay-2)"
      strokeWidth="3.5"
      strokeLinecap="round"
    />
  </>
);
