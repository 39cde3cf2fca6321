/** Drawings that the start page does not load. */
import { Furniture } from "./illustrations.tsx";

/** Empty armchair: an anonymous author, or a deleted account. */
export function EmptyArmchair() {
  return (
    <svg viewBox="0 0 240 212" aria-hidden="true">
      <ellipse cx="120" cy="200" rx="108" ry="9" fill="var(--d-clay-2)" opacity=".45" />
      <Furniture name="armchair-back" />
      <Furniture name="armchair-front" />
    </svg>
  );
}
