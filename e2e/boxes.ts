import type { Locator, Page } from "@playwright/test";
import { expectDrawings } from "./screen-checks.ts";

/** Where something is, in the page's own pixels. */
export const boxOf = async (part: Locator) => (await part.boundingBox())!;

/** The colour of its own background, as the browser writes it. */
export const colourOf = (part: Locator) => part.evaluate((element) => getComputedStyle(element).backgroundColor);

/** Whether two boxes share a pixel. */
export const meet = (one: Awaited<ReturnType<typeof boxOf>>, other: Awaited<ReturnType<typeof boxOf>>) =>
  one.x < other.x + other.width &&
  other.x < one.x + one.width &&
  one.y < other.y + other.height &&
  other.y < one.y + one.height;

/** The boxes of a drawing's shapes, and the frame that cuts off what stands out of it. */
export async function shapes(page: Page, drawing: string) {
  await expectDrawings(page);
  return page.locator(drawing).evaluate((svg) => {
    const box = (element: Element) => {
      const { left, right, top, bottom } = element.getBoundingClientRect();
      return { left, right, top, bottom };
    };
    return { frame: box(svg), parts: [...svg.querySelectorAll("path, rect, ellipse, circle, use")].map(box) };
  });
}
