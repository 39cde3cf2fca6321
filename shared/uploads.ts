import { z } from "zod";

/** A photo, as the file of a form. What it is shows in its content alone: neither its name nor its type is believed. */
export const PhotoInput = z.strictObject({
  file: z.file("Elige una imagen."),
});

export const PhotoView = z.object({ avatar_url: z.string() });
