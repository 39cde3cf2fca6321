import { z } from "zod";
import { operation } from "./operation.ts";

/** A photo as the file of a form. The server detects its type from the content and ignores name and declared type. */
const PhotoInput = z.strictObject({
  file: z.file("Elige una imagen."),
});

const PhotoView = z.object({ avatar_url: z.string() });

export const uploadsOperations = {
  photo: operation(
    "POST /profile/photo",
    "Upload the user's photo: a form with one file, below 5 MB (JPEG, PNG, WebP or GIF)",
    201,
  )
    .input(PhotoInput)
    .output(PhotoView),
};
