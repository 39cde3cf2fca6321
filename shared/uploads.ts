import { z } from "zod";

/** A photo, as the file of a form. Its type is detected from its content; name and declared type are ignored. */
export const PhotoInput = z.strictObject({
  file: z.file("Elige una imagen."),
});

export const PhotoView = z.object({ avatar_url: z.string() });
