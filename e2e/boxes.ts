import type { Locator } from "@playwright/test";

/** Returns the box of an element in the page's pixels. */
export const boxOf = async (part: Locator) => (await part.boundingBox())!;

/** Returns the background colour of an element as the browser serializes it. */
export const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor);

/** True if two boxes share a pixel. */
export const boxesOverlap = (one: Awaited<ReturnType<typeof boxOf>>, other: Awaited<ReturnType<typeof boxOf>>) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;
